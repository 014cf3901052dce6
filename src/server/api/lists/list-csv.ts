import { decimalOfCents } from '#domain/currency.ts'
import { dayOfDate } from '#domain/instant.ts'
import type { Context } from '../../http/context.ts'
import { getOrganization } from '../../store/accounts/organizations.ts'
import type { Stretch } from '../../store/lists/page.ts'
import { type ListPlace, listStart, readOnwards } from '../../store/lists/read-onwards.ts'
import type { Tenant } from '../../store/postgres/database.ts'
import { csvFile, streamCsv } from '../csv.ts'

/** A download holds this many rows in memory at a time, because lists, reports and errors have no upper limit. */
export const rowsPerPage = 1_000

type ListFile = {
  /** The list's name in the file's name. */
  name: string
  head: readonly string[]
  pages: AsyncGenerator<string[][], undefined>
}

/** Answers a list as a CSV file. Its name says the organization and the day (UTC). */
export async function listFile({ deps, inOrganization }: Context, { name, head, pages }: ListFile) {
  const { slug } = await inOrganization(getOrganization)
  const day = dayOfDate(deps.now())
  return csvFile(`${slug.replace(/[^a-z0-9-]/gi, '')}-${name}-${day}.csv`, streamCsv(head, pages))
}

/** The lines of a list from its first row to its last. */
export async function* linesOf(
  { inOrganization }: Context,
  open: (tenant: Tenant) => Promise<Stretch[]>,
  read: (tenant: Tenant, ids: readonly string[]) => Promise<string[][]>,
): AsyncGenerator<string[][], undefined> {
  const stretches = await inOrganization(open)
  for (let place: ListPlace | null = listStart; place !== null; ) {
    const from: ListPlace = place
    const page = await inOrganization(async (tenant) => {
      const { ids, next } = await readOnwards(tenant, stretches, from, rowsPerPage)
      return { next, lines: ids.length === 0 ? [] : await read(tenant, ids) }
    })
    if (page.lines.length > 0) yield page.lines
    place = page.next
  }
  return undefined
}

/** An amount in the reporting currency, as its total counts it, with the rate in words; empty where no rate is known. */
export function inReporting(
  cents: number | null,
  { reportingCurrency, rateText }: { reportingCurrency: string; rateText: string | null },
): string[] {
  const amount = cents === null ? '' : decimalOfCents(cents, reportingCurrency)
  return [amount, reportingCurrency.toUpperCase(), rateText ?? '']
}
