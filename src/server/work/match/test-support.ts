import { inOrganization } from '../../store/database.ts'
import { type Bench, enterprise } from '../push/test-support.ts'

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

/** The id of the first record of the portal with this value. */
export function recordIdOf(
  { simulator }: Bench,
  typeId: '0-1' | '0-2',
  property: string,
  value: string,
): string {
  const found = simulator
    .portal(enterprise)
    .records(typeId)
    .find(({ properties }) => properties[property] === value)
  if (!found) throw new Error(`There is no record whose ${property} is ${value}`)
  return found.id
}
