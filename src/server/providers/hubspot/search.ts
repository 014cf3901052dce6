import { z } from 'zod'
import type { CrmAccess, CrmDirectory, CrmFound } from '../crm-directory.ts'
import { listAnswer, type RecordAnswer } from './answers.ts'
import type { HubspotClient } from './client.ts'
import {
  companyOf,
  companyProperties,
  contactOf,
  contactProperties,
  readCompaniesOf,
} from './companies-and-contacts.ts'
import { nextAfter, readRecords, searchBody } from './read-records.ts'
import { companyTypeId, contactTypeId, limits, paths, searchPageSize } from './version.ts'

/** The property with the time of the last change; contacts have a different name for it. */
const changedAt = { [companyTypeId]: 'hs_lastmodifieddate', [contactTypeId]: 'lastmodifieddate' }

const choicesMax = 20

const foundAnswer = listAnswer.extend({ total: z.number().optional().catch(undefined) })

/** Searches HubSpot's own companies and contacts. Limits: search guide, March 2026. */
export function createDirectoryCalls(call: HubspotClient): CrmDirectory {
  return {
    searchResultsMax: 10_000,
    async listCompaniesOfContacts(access, contactIds) {
      const companies = await readCompaniesOf(call, access, contactIds)
      const lists = contactIds.map((id): [string, string[]] => [id, companies(id).companyRecordIds])
      return new Map(lists.filter(([, ids]) => ids.length > 0))
    },
    async searchCompanies(access, text) {
      const body = searchBody({ query: text, limit: choicesMax, properties: companyProperties })
      return (await search(call, access, companyTypeId, body)).rows.map(companyOf)
    },
    async searchChangedCompanies(access, since, after) {
      const found = await searchChanged(call, access, companyTypeId, companyProperties, since, after)
      return { ...found, rows: found.rows.map(companyOf) }
    },
    async searchChangedContacts(access, since, after) {
      const found = await searchChanged(call, access, contactTypeId, contactProperties, since, after)
      const ids = found.rows.map(({ id }) => id)
      const companies = await readCompaniesOf(call, access, ids)
      return { ...found, rows: found.rows.map((row) => contactOf(row, companies(row.id))) }
    },
    async readCompanies(access, recordIds) {
      return (await read(call, access, companyTypeId, companyProperties, recordIds)).map(companyOf)
    },
    async readContacts(access, recordIds) {
      const found = await read(call, access, contactTypeId, contactProperties, recordIds)
      const companies = await readCompaniesOf(
        call,
        access,
        found.map(({ id }) => id),
      )
      return found.map((row) => contactOf(row, companies(row.id)))
    },
  }
}

async function search(
  call: HubspotClient,
  access: CrmAccess,
  typeId: string,
  body: ReturnType<typeof searchBody>,
) {
  const path = paths.objectSearch(typeId)
  const answer = await call(access, {
    method: 'POST',
    path,
    json: body,
    answer: foundAnswer,
    lane: 'search',
  })
  const after = nextAfter(body.after, answer.paging?.next?.after, { method: 'POST', path })
  return { rows: answer.results, after, total: answer.total ?? answer.results.length }
}

function searchChanged(
  call: HubspotClient,
  access: CrmAccess,
  typeId: typeof companyTypeId | typeof contactTypeId,
  properties: readonly string[],
  since: Date,
  after: string | null,
): Promise<CrmFound<RecordAnswer>> {
  return search(
    call,
    access,
    typeId,
    searchBody({
      filters: [{ propertyName: changedAt[typeId], operator: 'GTE', value: String(since.getTime()) }],
      sort: 'hs_object_id',
      properties,
      limit: searchPageSize,
      after,
    }),
  )
}

async function read(
  call: HubspotClient,
  access: CrmAccess,
  typeId: string,
  properties: readonly string[],
  recordIds: readonly string[],
): Promise<RecordAnswer[]> {
  const found: RecordAnswer[] = []
  for (let start = 0; start < recordIds.length; start += limits.recordsPerBatch) {
    const ids = recordIds.slice(start, start + limits.recordsPerBatch)
    found.push(...(await readRecords(call, access, typeId, { ids, properties })))
  }
  return found
}
