import type { Stretch } from '#server/store/lists/page.ts'
import { type ListPlace, listStart, readOnwards } from '#server/store/lists/read-onwards.ts'
import type { Tenant } from '#server/store/postgres/database.ts'
import type { LargeOrganization } from './large-organization.ts'

/** All ids of a list, read onwards in parts as a file is. */
export async function exported(
  large: Pick<LargeOrganization, 'within'>,
  open: (tenant: Tenant) => Promise<Stretch[]>,
): Promise<string[]> {
  const stretches = await large.within(open)
  const all: string[] = []
  for (let place: ListPlace | null = listStart; place !== null; ) {
    const from: ListPlace = place
    const { ids, next } = await large.within((tenant) => readOnwards(tenant, stretches, from, 700))
    all.push(...ids)
    place = next
  }
  return all
}
