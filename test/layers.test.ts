import { existsSync, globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  brandsIn,
  circleIn,
  importsOf,
  mostFilesInFolder,
  orderly,
  roomOf,
  rooms,
  targetOf,
  violation,
} from './layers.ts'

const files = globSync('src/**/*.{ts,tsx}').map((file) => file.replaceAll('\\', '/').slice('src/'.length))
const product = files.filter((file) => !/\.test\.tsx?$/.test(file))

describe('the layer law', () => {
  it('finds the rooms', () => {
    expect(product.length).toBeGreaterThan(80)
    expect(product.filter((file) => roomOf(file) === undefined)).toEqual([])
  })

  it('is kept by every import of the product', () => {
    const broken = product.flatMap((file) =>
      importsOf(readFileSync(`src/${file}`, 'utf8')).flatMap((specifier) => violation(file, specifier) ?? []),
    )
    expect(broken).toEqual([])
  })

  it('names only rooms that are there', () => {
    const named = Object.entries(rooms).flatMap(([name, room]) => [name, ...(room.rooms ?? [])])
    expect(named.filter((name) => rooms[name] === undefined || !existsSync(`src/${name}`))).toEqual([])
  })

  it('makes no circle of rooms', () => {
    expect(
      circleIn(new Map(Object.entries(rooms).map(([name, room]) => [name, room.rooms ?? []]))),
    ).toBeUndefined()
  })

  it.each(orderly)('makes no circle of files in %s, and no drawer', (place) => {
    const own = product.filter((file) => file.startsWith(place))
    const arrows = own.map((file): [string, string[]] => [
      file,
      importsOf(readFileSync(`src/${file}`, 'utf8')).flatMap((specifier) => targetOf(file, specifier) ?? []),
    ])
    expect(circleIn(new Map(arrows))).toBeUndefined()
    const folders = Map.groupBy(own, (file) => file.slice(0, file.lastIndexOf('/')))
    expect([...folders].filter(([, held]) => held.length > mostFilesInFolder)).toEqual([])
  })

  it('names no brand where providers go by their role', () => {
    const branded = product.flatMap((file) =>
      brandsIn(file, readFileSync(`src/${file}`, 'utf8')).map((brand) => `${file}: ${brand}`),
    )
    expect(branded).toEqual([])
  })

  it.each([
    ['a text of work', 'server/work/push/a.ts', "const text = 'Connect Stripe first.'"],
    ['a text in parts', 'server/work/push/a.ts', 'const text = `Connect HubSpot for ` + name'],
    ['a comment of work', 'server/work/match/a.ts', "/** HubSpot's search is late. */"],
    ['a comment of the domain', 'domain/mrr/terms/a.ts', '// Stripe rounds down.'],
    ['a value of the domain', 'domain/setup.ts', "const steps = ['stripe']"],
  ])('knows a brand in %s', (_, file, source) => {
    expect(brandsIn(file, source)).toHaveLength(1)
  })

  it.each([
    ['an adapter', 'server/providers/stripe/a.ts', "const name = 'Stripe'"],
    ['the file of names', 'domain/provider-names.ts', "const name = 'Stripe'"],
    ['part of a stored word', 'domain/audit.ts', "const action = 'stripe_connected'"],
  ])('lets a brand be %s', (_, file, source) => {
    expect(brandsIn(file, source)).toEqual([])
  })

  it('knows a circle when it sees one', () => {
    const line = new Map([
      ['a', ['b', 'c']],
      ['b', ['c']],
      ['c', []],
    ])
    expect(circleIn(line)).toBeUndefined()
    expect(circleIn(new Map([...line, ['c', ['b']]]))).toEqual(['b', 'c', 'b'])
  })

  it.each([
    ['domain importing a store', 'domain/event.ts', '#server/store/ledger/events.ts'],
    ['domain importing a package', 'domain/event.ts', 'zod'],
    ['domain importing Node', 'domain/event.ts', 'node:fs'],
    ['contract importing the server', 'contract/events.ts', '#server/refusal.ts'],
    ['api importing jobs', 'server/api/runs/sync.ts', '../../jobs/queues.ts'],
    ['jobs importing api', 'server/jobs/queues.ts', '../api/runs/sync.ts'],
    ['work importing an adapter', 'server/work/push/push-crm.ts', '../../providers/hubspot/client.ts'],
    ['store importing work', 'server/store/runs/runs.ts', '../../work/push/push-crm.ts'],
    ['one adapter importing another', 'server/providers/stripe/a.ts', '../hubspot/b.ts'],
    ['a screen importing a screen', 'web/screens/events/a.tsx', '../dashboard/b.tsx'],
    ['a component that fetches', 'web/components/a.tsx', '../client.ts'],
    ['ui that knows our words', 'web/ui/a.tsx', '#domain/event.ts'],
    ['web importing the server', 'web/client.ts', '#server/refusal.ts'],
    ['the server importing web', 'server/app.ts', '#web/paths.ts'],
    ['a simulator importing ours', 'simulators/stripe/a.ts', '#domain/event.ts'],
    ['one simulator importing the other', 'simulators/stripe/a.ts', '../hubspot/b.ts'],
    ['a package not named for the room', 'server/work/push/a.ts', 'kysely'],
    ['a relative path through a wall', 'contract/events.ts', '../domain/event.ts'],
    ['a wall spelled inside a room', 'domain/mrr/a.ts', '#domain/event.ts'],
    ['a file in no room', 'elsewhere/a.ts', 'zod'],
    ['the store of payments knowing the ledger', 'server/store/payments/a.ts', '../ledger/events.ts'],
    ['PostgreSQL knowing what is kept in it', 'server/store/postgres/a.ts', '../accounts/users.ts'],
    ['the store of runs knowing the setup', 'server/store/runs/a.ts', '../setup/settings.ts'],
    ['matches knowing lists', 'server/store/matches/a.ts', '../lists/page.ts'],
    ['lists knowing the ledger', 'server/store/lists/a.ts', '../ledger/events.ts'],
    ['a store that moves the database on', 'server/store/accounts/a.ts', '../installation/migrate.ts'],
    ['an import knowing the push', 'server/work/import/a.ts', '../push/push-crm.ts'],
    ['the ledger knowing the import', 'server/work/ledger/a.ts', '../import/progress.ts'],
    ['matching knowing the push', 'server/work/match/a.ts', '../push/push-session.ts'],
    ['the push rebuilding events', 'server/work/push/a.ts', '../ledger/rebuild-events.ts'],
    ['organizations reading payments', 'server/work/organization/a.ts', '../../store/payments/customers.ts'],
    ['addresses asking the store', 'server/work/addresses/a.ts', '../../store/accounts/users.ts'],
    ['SMTP knowing the outbox', 'server/providers/smtp/a.ts', '../../store/accounts/outbox.ts'],
    ['an adapter knowing work', 'server/providers/identity/a.ts', '../../work/addresses/mail-domain.ts'],
    ['one noun of the api knowing another', 'server/api/lists/a.ts', '../figures/mrr.ts'],
    ['a call doing work of another noun', 'server/api/lists/a.ts', '../../work/push/start-push.ts'],
    ['a route that serves the api', 'server/http/a.ts', '../api/csv.ts'],
    ['the product importing a builder of tests', 'server/work/import/a.ts', '#test/import/stage-import.ts'],
    ['the web importing a builder of tests', 'web/screens/events/a.tsx', '#test/web/open-app.tsx'],
    ['the simulated world knowing requests', 'simulators/stripe/world/a.ts', '../requests/b.ts'],
    ['simulated requests knowing faults', 'simulators/stripe/requests/a.ts', '../faults/b.ts'],
    ['simulated lists knowing faults', 'simulators/stripe/lists/a.ts', '../faults/b.ts'],
    ['simulated objects knowing lists', 'simulators/stripe/objects/a.ts', '../lists/b.ts'],
    ['a simulated page knowing requests', 'simulators/stripe/pages/a.ts', '../requests/b.ts'],
    ['a simulated fault knowing the routes', 'simulators/stripe/faults/a.ts', '../routes.ts'],
    ['the types of a world knowing its bills', 'simulators/worlds/model/a.ts', '../billing/b.ts'],
    ['what is expected knowing invoices', 'simulators/worlds/expected/a.ts', '../billing/b.ts'],
    ['a worth read from an invoice', 'simulators/worlds/agreements/a.ts', '../billing/b.ts'],
    ['lines of a world knowing how it is shown', 'simulators/worlds/lines/a.ts', '../rendering/b.ts'],
    ['an object shown from what was agreed', 'simulators/worlds/rendering/a.ts', '../agreements/b.ts'],
    ['a bill that changes a subscription', 'simulators/worlds/billing/a.ts', '../subscriptions/b.ts'],
    ['a subscription knowing its story', 'simulators/worlds/subscriptions/a.ts', '../stories/b.ts'],
    ['a story knowing what is expected of it', 'simulators/worlds/stories/a.ts', '../expected/b.ts'],
    ['a room of a world knowing the machine', 'simulators/worlds/stories/a.ts', '../machine.ts'],
    ['bills that know terms', 'domain/mrr/bills/a.ts', '../terms/b.ts'],
    ['exact figures that know bills', 'domain/mrr/exact/a.ts', '../bills/b.ts'],
    ['prices that know bills', 'domain/mrr/prices/a.ts', '../bills/b.ts'],
    ['terms that know the timeline', 'domain/mrr/terms/discounts/a.ts', '../../timeline/b.ts'],
    ['a timeline that knows events', 'domain/mrr/timeline/a.ts', '../events/b.ts'],
    ['events that know receipts', 'domain/mrr/events/a.ts', '../receipts/b.ts'],
    ['a ledger that knows how it was rebuilt', 'domain/mrr/ledger/a.ts', '../rebuild-customer.ts'],
    ['a room of the engine that knows its face', 'domain/mrr/receipts/a.ts', '../rebuild-subscription.ts'],
    ['the rest of the domain knowing the engine', 'domain/event.ts', './mrr/receipts/receipt.ts'],
    ['the engine importing a builder of tests', 'domain/mrr/a.ts', '#test/mrr/examples.ts'],
    ['a command importing a builder of tests', 'cli/replay.ts', '#test/mrr/replay-examples.ts'],
  ])('refuses %s', (_, file, specifier) => {
    expect(violation(file, specifier)).toBeDefined()
  })

  it.each([
    ['everyone knows the domain', 'server/work/push/a.ts', '#domain/event.ts'],
    ['a relative path inside a room', 'domain/mrr/a.ts', '../event.ts'],
    ['the store using its driver', 'server/store/crm/a.ts', 'kysely'],
    ['the ledger reads payments', 'server/store/ledger/a.ts', '../payments/invoice-lines.ts'],
    ['every store asks PostgreSQL', 'server/store/crm/a.ts', '../postgres/database.ts'],
    ['a push begins with an import', 'server/work/push/a.ts', '../import/start-import.ts'],
    ['a call asks for work of its noun', 'server/api/runs/a.ts', '../../work/import/start-import.ts'],
    ['a subpath of an allowed package', 'web/main.tsx', 'react-dom/client'],
    [
      'whoever knows the domain knows its rooms',
      'server/store/ledger/a.ts',
      '#domain/mrr/receipts/receipt.ts',
    ],
    ['terms read bills', 'domain/mrr/terms/discounts/a.ts', '../../bills/b.ts'],
  ])('allows that %s', (_, file, specifier) => {
    expect(violation(file, specifier)).toBeUndefined()
  })

  it('reads imports in all their forms, and not those in comments', () => {
    const source = `
      import a from 'one'
      import {
        type B,
      } from "two"
      export { c } from './three.ts'
      import './four.css'
      const d = await import('./five.ts')
      // import e from 'six'
      /* import f from 'seven' */`
    expect(importsOf(source).sort()).toEqual(['./five.ts', './four.css', './three.ts', 'one', 'two'])
  })
})
