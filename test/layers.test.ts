import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
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
const product = files.filter((file) => !/\.test\.tsx?$|\/test-support\.ts$|\/testing\//.test(file))

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
    ['api importing jobs', 'server/api/runs/sync.ts', '../jobs/queue.ts'],
    ['jobs importing api', 'server/jobs/queue.ts', '../api/sync.ts'],
    ['work importing an adapter', 'server/work/push/push-crm.ts', '../providers/hubspot/client.ts'],
    ['store importing work', 'server/store/runs/runs.ts', '../work/push-crm.ts'],
    ['one adapter importing another', 'server/providers/stripe/a.ts', '../hubspot/b.ts'],
    ['a screen importing a screen', 'web/screens/events/a.tsx', '../dashboard/b.tsx'],
    ['a component that fetches', 'web/components/a.tsx', '../client.ts'],
    ['ui that knows our words', 'web/ui/a.tsx', '#domain/event.ts'],
    ['web importing the server', 'web/client.ts', '#server/refusal.ts'],
    ['the server importing web', 'server/app.ts', '#web/paths.ts'],
    ['a simulator importing ours', 'simulators/stripe/a.ts', '#domain/event.ts'],
    ['one simulator importing the other', 'simulators/stripe/a.ts', '../hubspot/b.ts'],
    ['a package not named for the room', 'server/work/a.ts', 'kysely'],
    ['a relative path through a wall', 'contract/events.ts', '../domain/event.ts'],
    ['a wall spelled inside a room', 'domain/mrr/a.ts', '#domain/event.ts'],
    ['a file in no room', 'elsewhere/a.ts', 'zod'],
    ['the simulated world knowing requests', 'simulators/stripe/world/a.ts', '../requests/b.ts'],
    ['simulated requests knowing faults', 'simulators/stripe/requests/a.ts', '../faults/b.ts'],
    ['simulated lists knowing faults', 'simulators/stripe/lists/a.ts', '../faults/b.ts'],
    ['simulated objects knowing lists', 'simulators/stripe/objects/a.ts', '../lists/b.ts'],
    ['a simulated page knowing requests', 'simulators/stripe/pages/a.ts', '../requests/b.ts'],
    ['a simulated fault knowing the routes', 'simulators/stripe/faults/a.ts', '../routes.ts'],
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
    ['everyone knows the domain', 'server/work/a.ts', '#domain/event.ts'],
    ['a relative path inside a room', 'domain/mrr/a.ts', '../event.ts'],
    ['the store using its driver', 'server/store/a.ts', 'kysely'],
    ['a subpath of an allowed package', 'web/main.tsx', 'react-dom/client'],
    ['whoever knows the domain knows its rooms', 'server/store/a.ts', '#domain/mrr/receipts/receipt.ts'],
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
