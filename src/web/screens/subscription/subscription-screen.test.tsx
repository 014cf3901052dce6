import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Receipt } from '#domain/mrr/receipts/receipt.ts'
import { findSubscriptionReceipt } from '#server/store/ledger/receipts.ts'
import { inOrganization } from '#server/store/postgres/database.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { addEvent, addSubscription } from '#test/store/seed.ts'
import { heading, openApp, rowsOf } from '#test/web/open-app.tsx'
import { formatMoney } from '../../components/figures/format-money.ts'

let world: TestWorld
let person: Person
beforeAll(async () => {
  world = await newWorld()
  person = await world.person()
  await person.connectStripe()
  await person.post('/api/import/historical', { restart: false })
  await world.drain()
  await inOrganization(world.deps.database, person.organizationId, (tenant) =>
    addSubscription(tenant, { id: 'sub_odd', unsupported_reason: 'The status is not known', quantity: 1 }),
  )
})
afterAll(() => world.close())

/** Finds a subscription whose revenue was read from an invoice, and its receipt. */
function paying() {
  return inOrganization(world.deps.database, person.organizationId, async (tenant) => {
    const rows = await tenant.sql
      .selectFrom('subscriptions')
      .select('id')
      .where('organization_id', '=', tenant.organizationId)
      .where('current_mrr_cents', '>', 0)
      .orderBy('id')
      .execute()
    for (const { id } of rows) {
      const found = await findSubscriptionReceipt(tenant, id)
      if (found?.receipt?.parts.some(({ invoiceId }) => invoiceId !== null)) return found
    }
    throw new Error('Nobody pays.')
  })
}

test('an invoice that was searched for says what it did to MRR, and leads to its events', async () => {
  const { subscription_id, invoice_id } = await inOrganization(
    world.deps.database,
    person.organizationId,
    (tenant) =>
      tenant.sql
        .selectFrom('events')
        .select(['subscription_id', 'invoice_id'])
        .where('invoice_id', 'is not', null)
        .where('currency', '=', 'usd')
        .executeTakeFirstOrThrow(),
  )
  const app = openApp(world, person, `/subscriptions/${subscription_id}?invoice=${invoice_id}`)
  const card = await screen.findByRole('region', { name: /^Invoice / })
  await waitFor(() => expect(card.textContent).toMatch(/It changed MRR by [+-]?\$[\d,.]+: \d events?/))
  fireEvent.click(within(card).getByRole('link', { name: /^\d events?$/ }))
  await waitFor(() => expect(app.address()).toBe(`/events?search=${invoice_id}`))
  expect((await rowsOf('Events', (rows) => rows.length > 0)).length).toBeGreaterThan(0)
})

/** The panel is folded, and the receipt is asked for when it is opened. */
async function openReceipt(name: string | RegExp) {
  const panel = await screen.findByRole('region', { name })
  fireEvent.click(within(panel).getByRole('button', { expanded: false }))
  return panel
}

test('the panel adds the current MRR up, names the lines, and explains every rule that it names', async () => {
  const { id, currentMrrCents, currency } = await paying()
  openApp(world, person, `/subscriptions/${id}`)
  const panel = await openReceipt(/^How .+ was calculated$/)
  const steps = await rowsOf('Calculation', (rows) => rows.length > 1)
  expect(steps.at(-1)?.slice(0, 2)).toEqual(['MRR', formatMoney(currentMrrCents, currency)])
  expect(steps[0]?.[0]).toMatch(/^\d+ × .+, per /)
  const [line] = await rowsOf('Invoice lines used', (rows) => rows.length > 0)
  expect(line?.[0]).toMatch(/(Recurring charge|Proration).*\(rule R\d+\)/)

  const links = within(panel).getAllByRole('link', { name: /\(rule R\d+\)$/ })
  expect(links.length).toBeGreaterThan(0)
  for (const link of links) {
    const text = document.getElementById((link.getAttribute('href') ?? '#').slice(1))
    expect(text && panel.contains(text) && text.textContent?.length).toBeGreaterThan(20)
  }
})

test('each event opens how its MRR was calculated, and the keyboard closes it', async () => {
  const { id } = await paying()
  openApp(world, person, `/subscriptions/${id}`)
  const [first] = await screen.findAllByRole('button', { name: /^Show how the MRR of .+ was calculated$/ })
  if (first === undefined) throw new Error('no event')
  const current = within(first.closest('tr') ?? first).getAllByRole('cell')[4]?.textContent
  fireEvent.click(first)
  const dialog = await screen.findByRole('dialog', { name: 'How this was calculated' })
  const table = await within(dialog).findByRole('table', { name: 'Calculation' })
  expect(within(table).getAllByRole('row').at(-1)?.textContent).toContain(`MRR${current}`)
  fireEvent.keyDown(dialog, { key: 'Escape' })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

/** A line that is left out because its invoice is in another currency. */
const foreign = {
  invoiceId: 'in_y',
  lineId: 'il_y',
  amountCents: 1900,
  currency: 'jpy',
  reason: 'In JPY',
  rule: 'R34',
}

/** What the receipt of a planned cancellation, or of an end, says besides its sum. */
const explained = {
  kind: { reason: 'Planned Cancellation; feedback: unused', rule: 'R30' },
  endsAt: Date.parse('2026-03-01T00:00:00Z') / 1000,
  lastBill: {
    invoiceId: 'in_y',
    from: Date.parse('2026-02-01T00:00:00Z') / 1000,
    until: Date.parse('2026-03-01T00:00:00Z') / 1000,
    status: 'paid',
  },
}

/** The first event of a subscription, an upgrade, and a cancellation planned after it. */
function changing() {
  return inOrganization(world.deps.database, person.organizationId, async (tenant) => {
    const events = await tenant.sql
      .selectFrom('events')
      .selectAll()
      .where('organization_id', '=', tenant.organizationId)
      .orderBy('occurred_at')
      .orderBy('position')
      .execute()
    const upgrade = events.findLast(({ mrr_status }) => mrr_status === 'Upgrade')
    const first = events.find(({ subscription_id }) => subscription_id === upgrade?.subscription_id)
    if (upgrade === undefined || first === undefined) throw new Error('no upgrade')
    const { receipt, current_mrr_cents: mrr, ...same } = upgrade
    const { parts, ...sum } = receipt as Receipt
    const carriedOn = parts.map((part) => ({ ...part, rules: [...part.rules, 'R20'] }))
    const planned = {
      ...same,
      id: 'planned',
      occurred_at: new Date(upgrade.occurred_at.getTime() + 1_000),
      mrr_status: 'Planned_Cancellation' as const,
      receipt: JSON.stringify({ ...sum, ...explained, parts: carriedOn, ignored: [foreign] }),
      previous_mrr_cents: mrr,
      current_mrr_cents: mrr,
      mrr_change_cents: 0,
      previous_quantity: upgrade.current_quantity,
    }
    await addEvent(tenant, planned)
    return { first, upgrade, planned }
  })
}

test('a change is compared with the event before; a first event and a planned cancellation are not', async () => {
  const { first, upgrade, planned } = await changing()
  const addressOf = ({ id, subscription_id }: { id: string; subscription_id: string }) =>
    `/subscriptions/${subscription_id}?${new URLSearchParams({ event: id, calculation: 'open' })}`
  const app = openApp(world, person, addressOf(upgrade))
  const opened = async () => {
    const dialog = await screen.findByRole('dialog', { name: 'How this was calculated' })
    await within(dialog).findByRole('table', { name: 'Calculation' })
    return within(dialog).queryByRole('region', { name: 'What changed since the event before' })
  }
  expect(await opened()).toBeTruthy()
  const rows = await rowsOf('Before and after', (found) => found.length > 1)
  const money = (cents: number) => formatMoney(cents, upgrade.currency)
  expect(rows.at(-1)).toEqual([money(upgrade.previous_mrr_cents), money(upgrade.current_mrr_cents)])
  expect(screen.getByRole('rowheader', { name: 'MRR Changed' })).toBeTruthy()
  for (const other of [first, planned]) {
    await app.goTo('/')
    await app.goTo(addressOf(other))
    expect(await opened()).toBeNull()
  }
  const [left] = await rowsOf('Invoice lines left out', (found) => found.length === 1)
  expect(left?.at(-1)).toBe('¥1,900')
  const told = screen.getByRole('dialog').textContent
  expect(told).toContain('only when the subscription ends, on Mar 1, 2026.')
  expect(told).toContain('Event type: Planned Cancellation; feedback: unused (Planned cancellation')
  expect(told).toContain('Last invoice: Feb 1, 2026 to Mar 1, 2026, paid')
  expect(told).toContain('No later invoice says anything else (No change, no event')
})

test('a change after a silent one is compared with what was there just before it', async () => {
  const upgrade = await inOrganization(world.deps.database, person.organizationId, async (tenant) => {
    const found = await tenant.sql
      .selectFrom('events')
      .selectAll()
      .where('organization_id', '=', tenant.organizationId)
      .where('mrr_status', '=', 'Upgrade')
      .orderBy('id')
      .executeTakeFirstOrThrow()
    const receipt = found.receipt as Receipt
    const parts = receipt.parts.map((part) => ({ ...part, quantity: 77 }))
    const stated = receipt.parts.map((part) => ({ ...part, invoiceId: null, lineIds: [] }))
    const before = { parts, sum: receipt.sum, rounding: '0', mrrCents: found.previous_mrr_cents }
    await tenant.sql
      .updateTable('events')
      .set({ receipt: JSON.stringify({ ...receipt, parts: stated, before }) })
      .where('organization_id', '=', tenant.organizationId)
      .where('id', '=', found.id)
      .execute()
    return found
  })
  const query = new URLSearchParams({ event: upgrade.id, calculation: 'open' })
  openApp(world, person, `/subscriptions/${upgrade.subscription_id}?${query}`)
  const compared = await screen.findByRole('region', { name: 'What changed' })
  expect(compared.textContent).toContain('other things changed at the same MRR, which makes no event')
  expect(within(compared).getAllByText('77').length).toBeGreaterThan(0)
  // An invoice may have come since.
  expect(
    screen.getByText(/^No invoice showed this then: it is what the subscription itself stated/),
  ).toBeTruthy()
})

test('one that is not counted says why instead of a sum', async () => {
  openApp(world, person, '/subscriptions/sub_odd')
  const panel = await openReceipt('Why it is not counted')
  expect(await within(panel).findByText(/not counted.*The status is not known/)).toBeTruthy()
  expect(within(panel).queryByRole('table')).toBeNull()
  expect(screen.getByText('Not part of the totals')).toBeTruthy()
})

test('an unknown id is a page of its own', async () => {
  openApp(world, person, '/subscriptions/sub_nowhere')
  expect(await heading('Subscription Not Found')).toBeTruthy()
})
