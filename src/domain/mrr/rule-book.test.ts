import { describe, expect, test } from 'vitest'
import { on, rebuild, textOfEvent } from '#test/mrr/examples.ts'
import { ruleBook } from '#test/mrr/rule-book/all.ts'
import type { RuleExample } from '#test/mrr/rule-book/example.ts'
import { currentMrrOf } from './events/subscription-mrr.ts'
import { snapshotsOf } from './ledger/snapshots.ts'

const rules = Array.from({ length: 38 }, (_, index) => `R${index + 1}`)
const examplesPerRuleMin = 3

function ledgerOf({ account }: RuleExample): string[] {
  const isAlone = account.subscriptions.length === 1
  return rebuild(account).events.map(
    (event) => `${isAlone ? '' : `${event.subscriptionId} `}${textOfEvent(event)}`,
  )
}

function snapshotTexts({ account }: RuleExample): string[] {
  const { events } = rebuild(account)
  return snapshotsOf(events, events[0]?.occurredAt ?? 0, on(account.asOf)).map(
    ({ month, currency, mrrCents }) => `${month} ${currency} ${mrrCents}`,
  )
}

describe.each([...Map.groupBy(ruleBook, ({ rule }) => rule)])('%s', (_, examples) => {
  test.each(examples)('$rule $name', (example) => {
    const { account, events, unsupported, currentMrr, snapshots } = example
    expect(ledgerOf(example)).toEqual(events)
    const { subscriptions } = rebuild(account)
    const reason = subscriptions[0]?.isUnsupported ?? ''
    if (unsupported === undefined) expect(reason).toBe('')
    else expect(reason).toContain(unsupported)
    if (currentMrr) expect(currentMrrOf(subscriptions)).toEqual(currentMrr)
    if (snapshots) expect(snapshotTexts(example).sort()).toEqual([...snapshots].sort())
  })
})

test('every rule has three examples at least', () => {
  const counts = Map.groupBy(ruleBook, ({ rule }) => rule)
  expect([...counts.keys()].filter((rule) => !rules.includes(rule))).toEqual([])
  expect(rules.filter((rule) => (counts.get(rule)?.length ?? 0) < examplesPerRuleMin)).toEqual([])
})
