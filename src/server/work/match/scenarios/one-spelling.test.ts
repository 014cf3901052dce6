import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CrmSeed } from '#simulators/hubspot/options.ts'
import { newDatabase, type TestDatabase } from '#test/database.ts'
import { type Bench, dumpCrm, enterprise, openBench, saveLedger } from '#test/push/open-bench.ts'

let db: TestDatabase
beforeAll(async () => {
  db = await newDatabase()
})
afterAll(() => db.close())

const spellings = ['kim@bücher.example', 'kim@xn--bcher-kva.example', ' Kim@BÜCHER.example ']

async function benchWith(
  emailHosts: string,
  contacts: CrmSeed['contacts'],
  ...emails: string[]
): Promise<Bench> {
  const bench = await openBench(db, {
    seed: { companies: [{ name: 'Bücher', domain: 'bücher.example' }], contacts },
  })
  await bench.control('/_control/settings', { hubId: enterprise, emailHosts })
  await bench.connect()
  await saveLedger(
    bench,
    emails.map((email, n) => ({ id: `${n}`, name: `Customer ${n}`, email, mrrCents: 100 })),
  )
  return bench
}

describe.each(['as_sent', 'ascii', 'unicode'])('where HubSpot keeps hosts %s', (emailHosts) => {
  it.each(spellings)('an address that it has is one contact with %j', async (email) => {
    for (const kept of spellings.slice(0, 2)) {
      const contacts = [{ email: kept, companyDomain: 'bücher.example' }]
      const bench = await benchWith(emailHosts, contacts, email)
      const run = await bench.push()
      expect(await bench.errorsOf(run.id)).toEqual([])
      expect(dumpCrm(bench).contact).toHaveLength(1)
      expect(dumpCrm(bench).associations).toContain(`subscription sub_0 -> contact ${kept}`)
    }
  })

  it('an additional address is found in each spelling', async () => {
    const contacts = [{ email: 'kim@private.example', additionalEmails: ['kim@bücher.example'] }]
    const bench = await benchWith(emailHosts, contacts, ...spellings)
    await bench.push()
    expect(dumpCrm(bench).contact).toHaveLength(1)
    expect(dumpCrm(bench).associations).toContain('subscription sub_1 -> contact kim@private.example')
  })

  it('a new address becomes one contact, in one push and in the next', async () => {
    const bench = await benchWith(emailHosts, [], ...spellings)
    await bench.push()
    await saveLedger(bench, [{ id: 'later', name: 'Later', email: 'KIM@bücher.example', mrrCents: 1 }])
    const run = await bench.push()
    expect(await bench.errorsOf(run.id)).toEqual([])
    const { contact, associations } = dumpCrm(bench)
    expect(contact).toHaveLength(1)
    for (const id of ['0', '1', '2', 'later'])
      expect(associations.filter((tie) => tie.startsWith(`subscription sub_${id} -> contact`))).toHaveLength(
        1,
      )
  })

  it('a contact is made once although the answer was lost', async () => {
    const bench = await benchWith(emailHosts, [], 'kim@bücher.example')
    await bench.control('/_faults', {
      kind: 'lost_answer',
      match: { pathPrefix: '/crm/objects/2026-09/0-1/batch/create', times: 1 },
    })
    await bench.push()
    expect(dumpCrm(bench).contact).toHaveLength(1)
    expect(dumpCrm(bench).associations.join()).toContain('subscription sub_0 -> contact kim@')
  })
})

it('finds the contact behind spaces, capitals and a tag', async () => {
  const contacts = [{ email: 'kim+stripe@bücher.example' }]
  const bench = await benchWith('as_sent', contacts, '  KIM+Stripe@BÜCHER.example')
  await bench.push()
  expect(dumpCrm(bench).contact).toHaveLength(1)
})
