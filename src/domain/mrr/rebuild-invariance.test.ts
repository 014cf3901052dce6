import { strict as assert } from 'node:assert'
import { test } from 'vitest'
import { holdsForAccounts, holdsForLives } from '#test/generated-lives.ts'
import type { MrrEvent } from '../event.ts'
import { rebuild } from './examples.ts'
import {
  accountOfLives,
  firstChange,
  type GeneratedAccount,
  type Life,
  linearPlans,
} from './generated-account.ts'

/** MRR_RUNS asks for more accounts than every run of the tests makes. */
const range = { numRuns: Number(process.env['MRR_RUNS'] ?? 20_000) }
const timeoutMs = 30_000 + 3 * range.numRuns

/** The same invoices in an order that depends on nothing but a seed. */
function shuffled({ invoices, ...account }: GeneratedAccount, seed: number): GeneratedAccount {
  let state = seed
  const chances = new Map(
    invoices.map((invoice) => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
      return [invoice, state]
    }),
  )
  const order = [...invoices].sort((a, b) => (chances.get(a) ?? 0) - (chances.get(b) ?? 0))
  return { ...account, invoices: order }
}

test('a second rebuild, and one from invoices in another order, give the same bytes', {
  timeout: timeoutMs,
}, () => {
  let seed = 0
  holdsForAccounts(range, (account) => {
    seed += 1
    const bytes = JSON.stringify(rebuild(account))
    assert.equal(JSON.stringify(rebuild(account)), bytes)
    assert.equal(JSON.stringify(rebuild(shuffled(account, seed))), bytes)
  })
})

test('R37 splitting every invoice into one per line changes nothing but the invoice ids', {
  timeout: timeoutMs,
}, () => {
  const bare = ({ invoiceId: _, ...event }: MrrEvent): object => event
  holdsForAccounts(range, (account) => {
    const invoices = account.invoices.flatMap((invoice) =>
      invoice.lines.map((line, index) => ({
        ...invoice,
        id: `${invoice.id}_${index}`,
        lines: [line],
        totalDiscountCents: line.discountCents,
      })),
    )
    assert.deepEqual(rebuild({ ...account, invoices }).events.map(bare), rebuild(account).events.map(bare))
  })
})

test('R36 other ids give other ids and nothing else', { timeout: timeoutMs }, () => {
  holdsForLives(range, (lives) => {
    const renamed = JSON.stringify(rebuild(accountOfLives(lives, 'x')).events)
    assert.equal(
      renamed.replaceAll('sub_x', 'sub_').replaceAll('in_x', 'in_'),
      JSON.stringify(rebuild(accountOfLives(lives)).events),
    )
  })
})

const scale = 10

function scaled(life: Life): Life {
  const { changes, unbilled } = life
  return {
    ...life,
    changes: changes.map((change) => ({ ...change, quantity: change.quantity * scale })),
    unbilled: unbilled && { ...unbilled, quantity: unbilled.quantity * scale },
  }
}

/** Two discounts and a tax may each be off by half a cent of a week's price, on both sides; a state by half a cent. */
const gapCentsMax = 3 * 0.5 * (52 / 12) * (scale + 1) + 1

test('R28 ten times the units are ten times the MRR, to the rounding of each state', {
  timeout: timeoutMs,
}, () => {
  const seated = (life: Life): Life =>
    life.changes.length > 0 ? life : { ...life, changes: [{ ...firstChange }] }
  holdsForLives({ ...range, planCount: linearPlans }, (lives) => {
    const larger = rebuild(accountOfLives(lives.map(seated).map(scaled))).subscriptions
    for (const [index, small] of rebuild(accountOfLives(lives.map(seated))).subscriptions.entries()) {
      const gap = Math.abs((larger[index]?.currentMrrCents ?? 0) - small.currentMrrCents * scale)
      assert.ok(gap <= gapCentsMax, `${gap} cents apart`)
    }
  })
})
