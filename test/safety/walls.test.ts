import { globSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createApp } from '#server/app.ts'
import { inOrganization, openDatabase } from '#server/store/postgres/database.ts'
import { run as query } from '../database.ts'
import { ask, type ProbeAnswer, smuggle } from './ask.ts'
import { contractCalls } from './calls.ts'
import { listTenantTables } from './rows.ts'
import { openStage, type SafetyStage } from './stage.ts'

// Thousands of requests in one test; their duration depends on the machine.
vi.setConfig({ testTimeout: 600_000 })

let stage: SafetyStage
let application: pg.Client
beforeAll(async () => {
  stage = await openStage()
  application = new pg.Client({ connectionString: stage.world.applicationUrl })
  application.on('error', () => {})
  await application.connect()
})
afterAll(async () => {
  await application.end()
  await stage.close()
})

const reads = contractCalls.filter(
  ({ method, access, endpoint }) =>
    method === 'GET' && ['member', 'admin'].includes(access) && endpoint?.answers === 'json',
)

/** The product as the database's owner, for whom row-level security does not apply. */
function withoutRowSecurity() {
  const { deps, ownerUrl } = stage.world
  const database = openDatabase({ url: ownerUrl, poolSize: 4, statementTimeoutMs: 30_000, onError: () => {} })
  const app = createApp({ ...deps, database })
  const cookie = [...stage.away.owner.cookies].map((pair) => pair.join('=')).join('; ')
  const visitor = {
    fetch: async (input: Parameters<typeof fetch>[0], init?: RequestInit) => {
      const headers = new Headers(init?.headers)
      headers.set('cookie', cookie)
      return app.fetch(new Request(new URL(String(input), deps.config.publicUrl), { ...init, headers }))
    },
  }
  return { visitor, database }
}

describe('the first wall: the organization comes from the session', () => {
  it('alone decides which organization a transaction is of, whatever the request names', async () => {
    const asked: string[] = []
    const original = pg.Client.prototype.query
    const spied = function (this: pg.Client, ...given: unknown[]) {
      const [config, values] = given
      const text = typeof config === 'string' ? config : String(Object(config).text)
      if (text.includes('app.organization_id')) asked.push(String((values as unknown[] | undefined)?.[0]))
      return Reflect.apply(original, this, given)
    }
    pg.Client.prototype.query = spied as typeof original
    const { visitor, database } = withoutRowSecurity()
    try {
      for (const call of reads) {
        for (const into of ['header', 'query'] as const) {
          const { input, headers } = smuggle(call.inputOf(stage.home.ids), into, stage.home.ids.organization)
          await ask(visitor, call, input, headers)
        }
      }
    } finally {
      pg.Client.prototype.query = original
      await database.destroy()
    }
    expect(asked.length).toBeGreaterThan(30)
    expect([...new Set(asked)]).toEqual([stage.away.ids.organization])
  })
})

describe('the second wall: the store', () => {
  it('shows each its own and nothing else where row-level security is not there', async () => {
    const { visitor, database } = withoutRowSecurity()
    const answers: [string, ProbeAnswer][] = []
    for (const call of reads) {
      for (const ids of [stage.home.ids, stage.away.ids])
        answers.push([call.name, await ask(visitor, call, call.inputOf(ids))])
    }
    await database.destroy()
    const leaks = answers.filter(([, { text }]) => text.includes(stage.home.word)).map(([name]) => name)
    expect(leaks).toEqual([])
    expect(answers.filter(([, { text }]) => text.includes(stage.away.word)).length).toBeGreaterThan(10)
  })

  it('takes a tenant in every function that touches a table of organizations', async () => {
    const tables = (await listTenantTables(stage.world.ownerUrl)).map(({ name }) => name)
    const untold = globSync('src/server/store/**/*.ts')
      .filter((file) => !/\.test\.ts$|\/tables\.ts$/.test(file))
      .flatMap((file) => functionsOf(readFileSync(file, 'utf8')).map((code) => ({ file, code })))
      .filter(({ code }) => tables.some((table) => touches(code, table)))
      .filter(({ code }) => !/\bTenant\b|inOrganization\(|tenantOf\(/.test(code))
      .map(({ code }) => /function (\w+)/.exec(code)?.[1] ?? '')
    expect([...new Set(untold)].sort()).toEqual(Object.keys(takesNoTenant).sort())
  })
})

/** What of the store works before or beside organizations, or within a query of one, each with its reason. */
const takesNoTenant: Record<string, string> = {
  listInvitationsTo: 'a person looks for invitations to their own address, before there is an organization',
  listTakenInvitations: 'the same, of those that made them a member',
  findInvitationTo: 'a person takes one of these',
  findInvitation: 'who holds the link of an invitation is told whose it is, before they have an account',
  noteMailFailed: 'mail is carried away by the process, for no organization; the number is of its own making',
  endAllAccess: 'the operator ends the access of everybody',
  findOrganizationOfAddress: 'a webhook is known by an address that cannot be guessed',
  isDomainClaimed: 'a domain is one over all organizations',
  findClaimant: 'the same',
  listInviterNames: 'a colleague asks whom to turn to, before they are in an organization',
  claimDomain: 'in the transaction that makes the organization',
  addMember: 'in the transaction of who founds or joins',
  deleteUserRow: 'a person leaves everything at once, and every organization with it',
  listMemberships: 'a person looks for their own organizations',
  findMembership: 'a session looks for its own',
  sourceRow: 'a part of queries that asks nothing itself, bound to the organization of the row around it',
  targetRow: 'the same',
  cadencesOf: 'reads a column of a row that the query around it has',
  customersOfFilter: 'conditions on a customer that the query has; its events are bound to its organization',
  segmentConditions:
    'conditions on such columns, before conditions that are bound to the organization of their row',
}

function functionsOf(source: string): string[] {
  return source.split(/^(?=export (?:async )?function )/m).filter((part) => part.startsWith('export'))
}

const touches = (code: string, table: string) =>
  new RegExp(`(From|Into|Table|Join)\\('${table}\\b|\\b(from|into|update|join) "?${table}\\b`).test(code)

describe('the third wall: row-level security', () => {
  it('shows a query that asks for everything the rows of one organization', async () => {
    const { deps, ownerUrl } = stage.world
    const tables = (await listTenantTables(ownerUrl)).filter(({ column }) => column === 'organization_id')
    const guarded = tables.filter(({ name }) => !['domain_claims', 'webhook_addresses'].includes(name))
    const own = Number(stage.away.ids.organization)
    let filled = 0
    for (const { name } of guarded) {
      const text = `select distinct organization_id as id from "${name}"`
      const all = await query<{ id: number }>(ownerUrl, text)
      const outside = await askAsApplication(text, '')
      expect([name, outside]).toEqual([name, []])
      const seen = await askAsApplication(text, String(own))
      expect([name, seen.filter(({ id }) => id !== own)]).toEqual([name, []])
      if (all.length > 1 && seen.length === 1) filled += 1
    }
    expect(filled).toBeGreaterThan(12)
    await expect(
      inOrganization(deps.database, own, (tenant) =>
        tenant.sql
          .updateTable('organization_settings')
          .set({ setup_complete: true })
          .where('organization_id', '=', Number(stage.home.ids.organization))
          .executeTakeFirst()
          .then(({ numUpdatedRows }) => Number(numUpdatedRows)),
      ),
    ).resolves.toBe(0)
  })

  it('takes no row for another organization, in any table', async () => {
    const { ownerUrl } = stage.world
    const tables = (await listTenantTables(ownerUrl)).filter(({ column }) => column === 'organization_id')
    const guarded = tables.filter(({ name }) => !['domain_claims', 'webhook_addresses'].includes(name))
    for (const { name } of guarded) {
      const text = `insert into "${name}" select * from jsonb_populate_record(null::"${name}",
        jsonb_build_object('organization_id', ${stage.home.ids.organization}))`
      await expect(askAsApplication(text, stage.away.ids.organization), name).rejects.toThrow(
        /row-level security|cannot insert a non-DEFAULT value/,
      )
    }
  })
})

/** Runs one statement as the application's role, within an organization or, with an empty text, outside all. */
async function askAsApplication(text: string, organizationId: string): Promise<{ id: number }[]> {
  await application.query('begin')
  try {
    await application.query(`select set_config('app.organization_id', $1, true)`, [organizationId])
    return (await application.query<{ id: number }>(text)).rows
  } finally {
    await application.query('rollback')
  }
}
