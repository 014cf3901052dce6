import type { Role } from '#domain/membership.ts'
import { inOrganization } from '#server/store/postgres/database.ts'
import type { Reviewer } from '#server/work/match/review/decide-each.ts'
import type { CrmSeed } from '#simulators/hubspot/options.ts'
import type { TestDatabase } from '../database.ts'
import { type Bench, dumpCrm, enterprise, type LedgerRowSeed, openBench } from '../push/open-bench.ts'

/** The person who connected the bench, as one who decides. */
export function reviewerOf({ connector }: Bench, role: Role = 'member'): Reviewer {
  return { userId: connector.userId, role }
}

/** Every match in the portal by customer: state, evidence, and the company or the candidates. */
export async function matchesOf(
  { deps, organizationId }: Bench,
  portalId = enterprise,
): Promise<Record<string, string>> {
  const found = await inOrganization(deps.database, organizationId, ({ sql }) =>
    sql
      .selectFrom('matches')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('portal_id', '=', String(portalId))
      .execute(),
  )
  return Object.fromEntries(
    found.map((row) => {
      const candidates = row.candidates as { name: string }[]
      const who = row.state === 'linked' ? row.company_name : candidates.map(({ name }) => name).join(',')
      return [row.customer_id.replace('cus_', ''), `${row.state} ${row.evidence} ${who}`.trim()]
    }),
  )
}

/** The id of the first record in the portal with this value. */
export function recordIdOf({ simulator }: Bench, typeId: string, property: string, value: string): string {
  const found = simulator
    .portal(enterprise)
    .records(typeId)
    .find(({ properties }) => properties[property] === value)
  if (!found) throw new Error(`There is no record whose ${property} is ${value}`)
  return found.id
}

/** The match of one customer, in the same form. */
export async function matchOf(bench: Bench, id: string): Promise<string | undefined> {
  return (await matchesOf(bench))[id]
}

/** Three companies that a person can choose among. */
export const companiesToChoose = [
  { name: 'Alpha', domain: 'alpha.example' },
  { name: 'Beta', domain: 'beta.example' },
  { name: 'Gamma', domain: 'gamma.example' },
]

/** A connected organization whose HubSpot contains these records. */
export async function connected(db: TestDatabase, seed: Partial<CrmSeed> = {}): Promise<Bench> {
  const bench = await openBench(db, { seed: { companies: [], contacts: [], ...seed } })
  await bench.connect()
  return bench
}

export function customer(id: string, email: string | null): LedgerRowSeed {
  return { id, name: `Firm ${id}`, email, mrrCents: 100 }
}

/** Pushes ten minutes later. */
export async function push(bench: Bench, options: Parameters<Bench['push']>[0] = {}) {
  bench.clock.now += 600_000
  return bench.push(options)
}

/** An action of a person in HubSpot. */
export function inHubspot(bench: Bench, what: string, body: object): Promise<void> {
  return bench.control(`/_control/${what}`, { hubId: enterprise, ...body })
}

/** The associations between contacts and companies. */
export function contactTies(bench: Bench): string[] {
  return dumpCrm(bench).associations.filter((tie) => /^contact .* -> company/.test(tie))
}

/** The keys of the records that a record is associated with. */
export function tiesOf(bench: Bench, key: string, target: 'company' | 'contact'): (string | undefined)[] {
  return dumpCrm(bench)
    .associations.filter((tie) => tie.startsWith(`${key} -> ${target}`))
    .map((tie) => tie.split(' ').at(-1))
}
