import { describe, expect, test } from 'vitest'
import { item, rebuild, renewals } from '#test/mrr/examples.ts'
import { ruleBook } from '#test/mrr/rule-book/all.ts'
import { lived, pro, type RuleExample, seat } from '#test/mrr/rule-book/example.ts'
import { untrueOfKind, untrueOfReceipt } from '#test/mrr/untrue-of-receipt.ts'
import type { Rational } from '../exact/rational.ts'
import { minus, notBelowZero, over, plus, ratio, textOf, whole, zero } from '../exact/rational.ts'
import type { Receipt } from './receipt.ts'

/** The receipts of all events of a life, and of the current value of its subscriptions. */
function receiptsOf({ account }: Pick<RuleExample, 'account'>) {
  const { events, subscriptions, receipts } = rebuild(account)
  return {
    ofEvents: events.map((event) => ({ event, receipt: receipts.ofEvent(event.id) })),
    ofNow: subscriptions.map((now) => ({ now, receipt: receipts.ofSubscription(now.subscriptionId) })),
  }
}

function rulesNamed(example: Pick<RuleExample, 'account'>): Set<string> {
  const { ofEvents, ofNow } = receiptsOf(example)
  return new Set([...ofEvents, ...ofNow].flatMap(({ receipt }) => receipt?.rules ?? []))
}

const rules = Array.from({ length: 38 }, (_, index) => `R${index + 1}`)

/** How many of a rule's examples must name it: those in which it shapes a figure. */
const namedMin = 1

describe('a receipt names the rules that shaped it', () => {
  test.each(rules)('%s', (rule) => {
    const examples = ruleBook.filter((example) => example.rule === rule)
    const naming = examples.filter((example) => rulesNamed(example).has(rule))
    expect(naming.length).toBeGreaterThanOrEqual(namedMin)
  })

  test('and no other: a plain month, its renewals, and a further seat', () => {
    const { ofEvents, ofNow } = receiptsOf({
      account: lived(
        item(seat, 3),
        [...renewals(seat, 2, ['2025-04-01']), ...renewals(seat, 3, ['2025-06-01'])],
        {
          asOf: '2025-06-02',
        },
      ),
    })
    expect(ofEvents.map(({ receipt }) => receipt?.rules)).toEqual([
      ['R1', 'R21', 'R28'],
      ['R1', 'R19', 'R21', 'R28'],
    ])
    expect(ofNow.map(({ receipt }) => receipt?.rules)).toEqual([['R1', 'R28', 'R38']])
  })

  test('what the subscription states is no value that was carried on (R20)', () => {
    expect(rulesNamed({ account: lived(item(pro), []) })).not.toContain('R20')
  })
})

function rationalOf(text: string): Rational {
  const [top = '0', bottom = '1'] = text.split('/')
  return ratio(BigInt(top), BigInt(bottom))
}

/** Recomputes the sum of a receipt from its parts alone. */
function checkSum({ parts, sum, rounding, mrrCents }: Receipt): void {
  let total = zero
  for (const part of parts) {
    const [gross, discount, tax] = [part.gross, part.discount, part.inclusiveTax].map(rationalOf)
    const net = notBelowZero(minus(minus(gross ?? zero, discount ?? zero), tax ?? zero))
    expect(part.net).toBe(textOf(net))
    if (part.inclusiveTax !== '0') expect(part.rules).toContain('R9')
    expect(part.monthly).toBe(textOf(over(net, rationalOf(part.months))))
    total = plus(total, rationalOf(part.monthly))
  }
  expect(sum).toBe(textOf(total))
  expect(textOf(plus(total, rationalOf(rounding)))).toBe(textOf(whole(mrrCents)))
}

test.each(ruleBook)('every figure has a receipt that adds up: $rule $name', (example) => {
  const { ofEvents, ofNow } = receiptsOf(example)
  for (const { event, receipt } of ofEvents) {
    expect(receipt).toMatchObject({ mrrCents: event.currentMrrCents, currency: event.currency })
    expect(receipt?.dated?.reason).toMatch(/^[A-Z]/)
  }
  for (const { now, receipt } of ofNow) {
    expect(receipt).toMatchObject({ mrrCents: now.currentMrrCents, currency: now.currency, dated: null })
  }
  const counted = ofNow.filter(({ now }) => now.isUnsupported === null)
  const { invoices = [], subscriptions } = example.account
  for (const { event, receipt } of ofEvents) {
    const subscription = subscriptions.find(({ id }) => id === event.subscriptionId)
    expect(receipt && untrueOfReceipt(receipt, invoices, event.occurredAt)).toEqual([])
    expect(receipt && subscription && untrueOfKind(event, receipt, subscription)).toEqual([])
  }
  for (const { receipt } of counted) expect(receipt && untrueOfReceipt(receipt, invoices, null)).toEqual([])
  for (const { receipt } of [...ofEvents, ...ofNow]) {
    if (receipt) checkSum(receipt)
    const named = [
      ...(receipt?.parts ?? []).flatMap((part) => part.rules),
      ...(receipt?.ignored ?? []).map(({ rule }) => rule),
    ]
    expect(receipt?.rules).toEqual(expect.arrayContaining(named))
    expect(receipt?.rules.filter((rule) => !rules.includes(rule))).toEqual([])
  }
})
