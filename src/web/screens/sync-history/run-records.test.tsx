import { screen, within } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inOrganization } from '#server/store/postgres/database.ts'
import { newWorld, type Person, type TestWorld } from '#test/harness.ts'
import { addCustomer, addEvent, addRun, addSubscription } from '#test/store/seed.ts'
import { openApp, rowsOf } from '#test/web/open-app.tsx'

let world: TestWorld
let person: Person
const at = new Date(Date.UTC(2026, 10, 1, 8))
const later = new Date(Date.UTC(2026, 10, 2, 8))
beforeAll(async () => {
  world = await newWorld()
  person = await world.person()
  await inOrganization(world.deps.database, person.organizationId, async (tenant) => {
    await addCustomer(tenant, { id: 'cus_1', name: 'Harbor Studio' })
    await addSubscription(tenant, { id: 'sub_1', current_mrr_cents: 2_000, updated_at: later })
    const events = Array.from({ length: 11 }, (_, n) => `ev_${n}`)
    for (const [n, id] of events.entries())
      await addEvent(tenant, {
        ...{ id, mrr_status: 'Upgrade', occurred_at: new Date(Date.UTC(2026, 9, 20 - n)), updated_at: at },
        ...{ previous_mrr_cents: 0, current_mrr_cents: 2_000, mrr_change_cents: 2_000 },
      })
    const keep = async (id: string, kept: { event: string[]; subscription: string[] }) => {
      const rows = (['event', 'subscription'] as const).flatMap((kind) =>
        kept[kind].map((source_id) => ({
          ...{ organization_id: tenant.organizationId, run_id: id, kind, source_id },
          ...{ subscription_id: 'sub_1', change: changeOf(id, source_id) },
        })),
      )
      if (rows.length > 0) await tenant.sql.insertInto('run_records').values(rows).execute()
    }
    const inPortal = { organization_id: tenant.organizationId, portal_id: '7', listed_at: at }
    const tie = (runId: string, source: string, links: object) =>
      tenant.sql
        .updateTable('run_records')
        .set({ links: JSON.stringify(links) })
        .where('run_id', '=', runId)
        .where('source_id', '=', source)
        .execute()
    const run = async (
      id: string,
      kind: 'import' | 'push',
      counts: { events: number; subscriptions: number },
    ) => {
      await addRun(tenant, { id, kind, status: 'completed', at })
      const changed = { changed_events: counts.events, changed_subscriptions: counts.subscriptions }
      await tenant.sql
        .updateTable('runs')
        .set({ ...changed, changed_links: 3, completed_at: at })
        .where('id', '=', id)
        .execute()
    }
    await run('run_import', 'import', { events: 12, subscriptions: 1 })
    await keep('run_import', { event: [...events, 'ev_gone'], subscription: ['sub_1'] })
    await run('run_first', 'push', { events: 3_114, subscriptions: 0 })
    await keep('run_first', { event: events, subscription: [] })
    await run('run_links', 'push', { events: 0, subscriptions: 0 })
    await keep('run_links', { event: events.slice(0, 2), subscription: ['sub_1'] })
    await tie('run_links', 'ev_0', {
      '7/company/10': 'linked',
      '7/contact/20': 'linked',
      '7/company/11': 'unlinked',
    })
    await tie('run_links', 'ev_1', { '7/contact/99': 'unlinked' })
    await tenant.sql
      .insertInto('crm_companies')
      .values([
        { ...inPortal, record_id: '10', name: 'Juniper labs' },
        { ...inPortal, record_id: '11', name: 'Alder works' },
      ])
      .execute()
    await tenant.sql
      .insertInto('crm_contacts')
      .values({ ...inPortal, record_id: '20', emails: ['kim@juniper.example'] })
      .execute()
    await addSubscription(tenant, { id: 'sub_2', current_mrr_cents: 3_000, updated_at: later })
    await run('run_sync', 'push', { events: 1, subscriptions: 2 })
    await keep('run_sync', { event: events.slice(0, 2), subscription: ['sub_1', 'sub_2'] })
    const told = async (source: string, toldBefore: object, toldAfter: object) =>
      tenant.sql
        .updateTable('run_records')
        .set({
          change: 'changed',
          told_before: JSON.stringify(toldBefore),
          told_after: JSON.stringify(toldAfter),
        })
        .where('run_id', '=', 'run_sync')
        .where('source_id', '=', source)
        .execute()
    await tie('run_sync', 'ev_0', { '7/subscription/1': 'linked', '7/company/10': 'linked' })
    await told('sub_1', { nextRenewalOn: '2026-11-30' }, { nextRenewalOn: '2026-12-30' })
    await told('sub_2', { mrr: '10.00', currency: 'USD' }, { mrr: '30.00', currency: 'USD' })
    await run('run_earlier', 'import', { events: 4, subscriptions: 0 })
  })
})
afterAll(() => world.close())

function changeOf(runId: string, sourceId: string): string {
  if (runId === 'run_sync') return sourceId === 'ev_1' ? 'linked' : 'changed'
  if (runId === 'run_links') return sourceId === 'ev_1' ? 'unlinked' : 'linked'
  return sourceId === 'ev_gone' ? 'removed' : 'added'
}

const openRun = async (id: string) => {
  openApp(world, person, `/sync-history/${id}`)
  const dialog = within(await screen.findByRole('dialog', { name: 'Sync Details' }))
  return within(await dialog.findByRole('region', { name: 'What changed' }))
}

test('a run leads to the events that it changed, page by page, and to their subscriptions', async () => {
  const section = await openRun('run_import')
  const rows = await rowsOf('What changed', (found) => found.length === 10)
  expect(rows[0]).toEqual(['Harbor Studio', 'Upgrade', '+$20.00', 'Oct 20, 2026', 'Added'])
  const [first] = section.getAllByRole('link', { name: 'Open the subscription of Harbor Studio' })
  expect(first?.getAttribute('href')).toBe('/subscriptions/sub_1?event=ev_0')
  section.getByRole('button', { name: 'Page 2' }).click()
  const last = await rowsOf('What changed', (found) => found.length === 2)
  expect(last.at(-1)).toEqual(['Harbor Studio', '-', '-', '-', 'Removed'])
})

test('the counts of the summary lead to the records of their kind', async () => {
  const section = await openRun('run_import')
  const heading = section.getByRole('heading', { name: 'What changed' })
  heading.scrollIntoView = () => undefined
  screen.getAllByRole('button', { name: '1 subscription' })[0]?.click()
  const rows = await rowsOf('What changed', (found) => found[0]?.length === 4)
  expect(rows).toEqual([['Harbor Studio', 'Active', '$20.00', 'AddedIt changed after this run.']])
  expect(document.activeElement).toBe(heading)
})

test('a first run says how many of its records are listed, and where all of them are', async () => {
  const section = await openRun('run_first')
  expect(await section.findByText(/The newest 11 of 3,114 are listed/)).toBeTruthy()
  expect(section.getByRole('link', { name: 'Events' }).getAttribute('href')).toBe('/events')
  const [row] = await rowsOf('What changed', (found) => found.length === 10)
  expect(row?.at(-1)).toBe('Created')
})

test('a sync says what it wrote over, changed figures first, and counts what it only linked apart', async () => {
  const section = await openRun('run_sync')
  expect(section.getByRole('button', { name: '1 event' })).toBeTruthy()
  section.getByRole('button', { name: '2 subscriptions' }).click()
  const rows = await rowsOf('What changed', (found) => found[0]?.length === 4)
  expect(rows.map((row) => row.at(-1)?.replace('It changed after this run.', ''))).toEqual([
    'UpdatedMRR from $10.00 to $30.00',
    'UpdatedNext renewal from Nov 30, 2026 to Dec 30, 2026',
  ])
  expect(section.getByText(/Values are compared with what the sync before wrote/)).toBeTruthy()
})

test('a run of an earlier release says that its records are not kept', async () => {
  const section = await openRun('run_earlier')
  expect(await section.findByText('It is not kept which events this run changed.')).toBeTruthy()
})

test('a sync that only wrote links leads to their records, and says what they were linked to', async () => {
  const section = await openRun('run_links')
  expect(section.getByText(/1 subscription and 2 events: links are counted one by one/)).toBeTruthy()
  expect(await rowsOf('What changed', (found) => found[0]?.length === 4)).toEqual([
    ['Harbor Studio', 'Active', '$20.00', 'Linked'],
  ])
  section.getByRole('button', { name: 'Events' }).click()
  const rows = await rowsOf('What changed', (found) => found.length === 2)
  expect(rows.map((row) => row.at(-1))).toEqual([
    'Linkedto Juniper labs, kim@juniper.examplelink removed from Alder works',
    'Link removedfrom contact 99',
  ])
  expect(section.queryByText(/are listed/)).toBeNull()
})

test('the count of links leads to linked records alone, those included that a sync changed as well', async () => {
  const section = await openRun('run_sync')
  const heading = section.getByRole('heading', { name: 'What changed' })
  heading.scrollIntoView = () => undefined
  screen.getAllByRole('button', { name: '3 links' })[0]?.click()
  const rows = await rowsOf('What changed', (found) => found.length === 2 && found[0]?.length === 5)
  expect(rows.map((row) => row.at(-1))).toEqual(['Updatedlinked to Juniper labs, its subscription', 'Linked'])
  expect(document.activeElement).toBe(heading)
  section.getByRole('button', { name: '1 event' }).click()
  const events = await rowsOf('What changed', (found) => found.length === 1)
  expect(events[0]?.at(-1)).toBe('Updated')
})

test('the count of links of a run whose records are not kept leads nowhere', async () => {
  await inOrganization(world.deps.database, person.organizationId, async (tenant) => {
    await addRun(tenant, { id: 'run_uncertain', kind: 'push', status: 'completed', at })
    await tenant.sql
      .updateTable('runs')
      .set({ changed_events: 0, changed_subscriptions: 0, changed_links: 6, completed_at: later })
      .where('id', '=', 'run_uncertain')
      .execute()
  })
  openApp(world, person, '/sync-history/run_uncertain')
  const dialog = within(await screen.findByRole('dialog', { name: 'Sync Details' }))
  expect(await dialog.findByText('6 links')).toBeTruthy()
  expect(dialog.queryByRole('button', { name: '6 links' })).toBeNull()
  expect(dialog.queryByRole('region', { name: 'What changed' })).toBeNull()
})
