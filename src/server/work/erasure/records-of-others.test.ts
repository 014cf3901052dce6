import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newDatabase, run as query, type TestDatabase } from '#test/database.ts'
import { connected, inHubspot, matchesOf, recordIdOf } from '#test/match/matches.ts'
import { type Bench, enterprise, saveLedger } from '#test/push/open-bench.ts'
import { deleteErasedContact } from './delete-contact.ts'
import { eraseCustomer } from './erase-customer.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

const mina = { id: 'w', name: 'Wilhelmina Quartz', email: 'mina@quartzite.example', mrrCents: 100 }

async function save(bench: Bench, customers: (typeof mina)[]): Promise<void> {
  await saveLedger(bench, customers)
  await query(db.ownerUrl, `update customers set domain = split_part(email, '@', 2) where email is not null`)
  await bench.push()
}

const companies = ({ simulator }: Bench) =>
  simulator
    .portal(enterprise)
    .records('0-2')
    .map(({ properties: { name, domain } }) => `${name} ${domain}`)

/** Erases Wilhelmina; returns the deletion of her contact in HubSpot, which may follow later. */
async function erase({ deps, organizationId, connector }: Bench): Promise<() => Promise<void>> {
  const actor = { userId: connector.userId, email: 'pat@example.com', address: null }
  const request = { customerId: 'cus_w', reason: 'asked', actor } as const
  const [id = ''] = await eraseCustomer(deps, organizationId, request)
  return () => deleteErasedContact(deps, { organizationId, actor }, id)
}

it('leaves the company alone into which that of an erased person was merged', async () => {
  const bench = await connected(db, { companies: [{ name: 'Harbour', domain: 'harbour.example' }] })
  await save(bench, [mina])
  const deleteContact = await erase(bench)
  await inHubspot(bench, 'merge', {
    type: '0-2',
    primaryId: recordIdOf(bench, '0-2', 'name', 'Harbour'),
    secondaryId: recordIdOf(bench, '0-2', 'name', 'Wilhelmina Quartz'),
  })
  await deleteContact()
  expect(companies(bench)).toEqual(['Harbour harbour.example'])
})

it('leaves the name and the domain that people gave a company since, each by itself', async () => {
  const bench = await connected(db)
  await save(bench, [mina])
  const deleteContact = await erase(bench)
  const id = recordIdOf(bench, '0-2', 'name', 'Wilhelmina Quartz')
  await inHubspot(bench, 'edit', { type: '0-2', id, properties: { name: 'Quartz & Sons' } })
  await deleteContact()
  expect(companies(bench)).toEqual(['Quartz & Sons undefined'])

  const other = await connected(db)
  await save(other, [mina])
  const deleteOther = await erase(other)
  const otherId = recordIdOf(other, '0-2', 'name', 'Wilhelmina Quartz')
  await inHubspot(other, 'edit', { type: '0-2', id: otherId, properties: { domain: 'sons.example' } })
  await deleteOther()
  expect(companies(other)).toEqual([expect.stringMatching(/^Erased customer \w+ sons\.example$/)])
})

it('leaves its domain to a company that an erased person shared with another customer', async () => {
  const bench = await connected(db)
  await save(bench, [mina])
  bench.clock.now += 600_000
  await save(bench, [{ ...mina, id: 'x', name: 'Bob Basalt', email: 'bob@quartzite.example' }])
  const deleteContact = await erase(bench)
  await deleteContact()
  const named = expect.stringMatching(/^Erased customer \w+ quartzite\.example$/)
  expect(companies(bench)).toEqual([named])
  bench.clock.now += 600_000
  await save(bench, [{ ...mina, id: 'y', name: 'Third', email: 'jo@quartzite.example' }])
  expect(companies(bench)).toEqual([named])
  expect((await matchesOf(bench))['y']).toMatch(/^linked company_domain Erased customer/)
})

describe('the contact of an erased person', () => {
  const kim = { ...mina, id: 'x', name: 'Kim Basalt', email: 'kim@basalt.example' }
  const refused =
    /is somebody else's too, who would lose it\. Edit contact \d+ there: take out this person's name and address\./
  const contacts = ({ simulator }: Bench) =>
    simulator
      .portal(enterprise)
      .records('0-1')
      .map(({ properties }) => properties['email'])
  const idOf = (bench: Bench, email: string) => recordIdOf(bench, '0-1', 'email', email)

  it('stays where it was merged into that of somebody else', async () => {
    const bench = await connected(db, { contacts: [{ email: 'lee@basalt.example' }] })
    await save(bench, [mina])
    const deleteContact = await erase(bench)
    const [hers, theirs] = [mina.email, 'lee@basalt.example'].map((email) => idOf(bench, email))
    await inHubspot(bench, 'merge', { type: '0-1', primaryId: theirs, secondaryId: hers })
    await expect(deleteContact()).rejects.toThrow(refused)
    expect(contacts(bench)).toEqual(['lee@basalt.example'])
  })

  it('stays where another customer is found by it', async () => {
    const bench = await connected(db, {
      contacts: [{ email: mina.email, additionalEmails: [kim.email] }],
    })
    await save(bench, [mina, kim])
    const deleteContact = await erase(bench)
    await expect(deleteContact()).rejects.toThrow(refused)
    expect(contacts(bench)).toEqual([mina.email])
  })

  it('is not called deleted when a missing route answers as if it were gone', async () => {
    const bench = await connected(db)
    await save(bench, [mina])
    const deleteContact = await erase(bench)
    await bench.control('/_faults', {
      ...{ kind: 'status', status: 404, category: 'OBJECT_NOT_FOUND' },
      match: { pathPrefix: '/crm/objects/2026-09/contacts/gdpr-delete' },
    })
    await expect(deleteContact()).rejects.toThrow(/does not answer properly/)
    expect(contacts(bench)).toEqual([mina.email])
    await deleteContact()
    expect(contacts(bench)).toEqual([])
  })

  it('counts as deleted when somebody deleted it before', async () => {
    const bench = await connected(db)
    await save(bench, [mina])
    const deleteContact = await erase(bench)
    await inHubspot(bench, 'archive', {
      type: '0-1',
      id: idOf(bench, mina.email),
    })
    await deleteContact()
    await deleteContact()
    expect(contacts(bench)).toEqual([])
  })
})

it('leaves the longer address of another person alone in texts that name both', async () => {
  const bench = await connected(db)
  const jo = { ...mina, id: 'x', name: 'Jo Basalt', email: 'jo.mina@quartzite.example' }
  await save(bench, [mina, jo])
  const texts = [
    'jo.mina@quartzite.example and jo-mina@quartzite.example stay',
    'mina@quartzite.example.org stays',
    'the contact mina@quartzite.example, Mina@quartzite.example.',
  ]
  for (const line of texts)
    await query(
      db.ownerUrl,
      `insert into run_logs (organization_id, run_id, line)
       select organization_id, id, '${line}' from runs where organization_id = ${bench.organizationId} limit 1`,
    )
  await erase(bench)
  const lines = await query<{ line: string }>(
    db.ownerUrl,
    `select line from run_logs where organization_id = ${bench.organizationId}`,
  )
  expect(lines.map(({ line }) => line)).toEqual(
    expect.arrayContaining([
      ...texts.slice(0, 2),
      expect.stringMatching(/^the contact (Erased customer \w+), \1\.$/),
    ]),
  )
})
