import { listInviterNames } from '../../store/accounts/domain-claims.ts'
import type { Database } from '../../store/postgres/database.ts'

const shownMax = 3

/**
 * Whom a person with a verified address of the claimed domain may ask for an invitation: 'Robin D.'. A person's full name
 * and address stay unsaid, and a name that is an address is left out.
 */
export async function listInviters(database: Database, domain: string): Promise<string[]> {
  const names = await listInviterNames(database, domain, shownMax)
  return names.filter((name) => !name.includes('@')).map(shortName)
}

function shortName(name: string): string {
  const [first = '', ...others] = name.trim().split(/\s+/)
  const initial = [...(others.at(-1) ?? '')][0]
  return initial === undefined ? first : `${first} ${initial}.`
}
