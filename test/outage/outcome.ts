import { companyTypeId, contactTypeId, type HubspotRecord } from '#simulators/hubspot/entities.ts'
import { run } from '../database.ts'
import { keptRow, keptTables } from '../kept-rows.ts'
import { type OutageProduct, portalId } from './product.ts'

/** The CRM sets these at each write, so they differ whichever way a record was created. */
const systemProperty = /^hs_(?:object_id|createdate|lastmodifieddate)|^(?:createdate|lastmodifieddate)$/

/**
 * The result of an import and a push in our database and at the CRM, without generated numbers and our own write times:
 * every time after `begunAt` becomes the same.
 */
export async function outcomeOf(product: OutageProduct, begunAt: Date): Promise<Record<string, string[]>> {
  const outcome: Record<string, string[]> = {}
  for (const table of keptTables) {
    const rows = await run<{ row: Record<string, unknown> }>(
      product.ownerUrl,
      `select ${keptRow} as row from ${table} t`,
    )
    outcome[table] = rows.map(({ row }) => timeless(JSON.stringify(row), begunAt)).sort()
  }
  const view = product.hubspot.portal(portalId)
  const types = [
    { name: 'contacts', typeId: contactTypeId },
    { name: 'companies', typeId: companyTypeId },
    ...view.schemas().map(({ name, typeId }) => ({ name, typeId })),
  ]
  const names = new Map<string, string>()
  for (const { name, typeId } of types) {
    const records = view.everMade(typeId).map((record) => ({ record, text: textOf(record, begunAt) }))
    for (const { record, text } of records) names.set(`${typeId} ${record.id}`, text)
    outcome[`CRM ${name}`] = records.map(({ text }) => text).sort()
  }
  for (const from of types) {
    for (const to of types) {
      outcome[`CRM ${from.name} to ${to.name}`] = view
        .associations(from.typeId, to.typeId)
        .map((tie) => `${names.get(`${from.typeId} ${tie.fromId}`)} ${names.get(`${to.typeId} ${tie.toId}`)}`)
        .sort()
    }
  }
  return outcome
}

/** The rows that only one of two outcomes contains, with their tables. */
export function differencesOf(found: Record<string, string[]>, expected: Record<string, string[]>): string[] {
  const only = (here: Record<string, string[]>, there: Record<string, string[]>, word: string) =>
    Object.entries(here).flatMap(([table, rows]) => {
      const others = [...(there[table] ?? [])]
      return rows
        .filter((row) => {
          const at = others.indexOf(row)
          if (at >= 0) others.splice(at, 1)
          return at < 0
        })
        .map((row) => `${word} ${table}: ${row.slice(0, 400)}`)
    })
  return [...only(found, expected, 'too many'), ...only(expected, found, 'missing')]
}

function textOf({ properties }: HubspotRecord, begunAt: Date): string {
  const own = Object.entries(properties).filter(([name]) => !systemProperty.test(name))
  return timeless(JSON.stringify(own.sort()), begunAt)
}

function timeless(text: string, begunAt: Date): string {
  return text.replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)/g, (instant) =>
    new Date(instant) >= begunAt ? 'meanwhile' : new Date(instant).toISOString(),
  )
}
