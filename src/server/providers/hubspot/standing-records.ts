import { z } from 'zod'
import type { CrmKind } from '#domain/crm-record.ts'
import type { CrmReading, CrmStandingRecord } from '../crm-standing.ts'
import {
  instantIn,
  type ListedRecord,
  listAnswer,
  listIn,
  type RecordAnswer,
  recordAnswer,
} from './answers.ts'
import type { HubspotClient } from './client.ts'
import { nextAfter, readRecords, searchBody } from './read-records.ts'
import { getSpelling, propertiesOf } from './to-hubspot/object-spelling.ts'
import { spellings } from './to-hubspot/our-objects.ts'
import { isSameValue } from './to-hubspot/same-value.ts'
import { companyTypeId, contactTypeId, listPageSize, paths, searchPageSize } from './version.ts'

type StandingCalls = Pick<CrmReading, 'findNewestRecords' | 'listRecords' | 'readRecords' | 'changedFields'>

const mergedIdsName = 'hs_merged_object_ids'
const modifiedName = 'hs_lastmodifieddate'

const searchAnswer = z.object({ total: z.number(), results: z.array(recordAnswer) })

/** Reads the current records to find what people changed, deleted or merged. It makes no decisions. */
export function createStandingCalls(call: HubspotClient): StandingCalls {
  return {
    async findNewestRecords(access, kind, objectTypeId, converted) {
      const found = await call(access, {
        method: 'POST',
        path: paths.objectSearch(objectTypeId),
        json: searchBody({
          sort: `-${modifiedName}`,
          properties: [modifiedName, ...namesOf(kind, converted), mergedIdsName],
          limit: searchPageSize,
        }),
        answer: searchAnswer,
        lane: 'search',
      })
      return { total: found.total, rows: found.results.map((record) => toStanding(kind, record)) }
    },
    async listRecords(access, kind, objectTypes, after, converted) {
      const targets = [companyTypeId, contactTypeId, ...(kind === 'event' ? [objectTypes.subscription] : [])]
      const answer = await call(access, {
        method: 'GET',
        path: paths.objects(objectTypes[kind]),
        query: {
          limit: String(listPageSize),
          properties: [...namesOf(kind, converted), mergedIdsName].join(','),
          associations: targets.join(','),
          ...(after !== null && { after }),
        },
        answer: listAnswer,
      })
      const asked = { method: 'GET', path: paths.objects(objectTypes[kind]) }
      return {
        rows: answer.results.map((record) => ({ ...toStanding(kind, record), tiedTo: tiesOf(record) })),
        after: nextAfter(after, answer.paging?.next?.after, asked),
      }
    },
    async readRecords(access, kind, objectTypeId, recordIds) {
      const properties = [...namesOf(kind), mergedIdsName]
      const records = await readRecords(call, access, objectTypeId, { ids: recordIds, properties })
      return records.map((record) => toStanding(kind, record))
    },
    changedFields(kind, values, record) {
      const ours = propertiesOf(kind, values)
      return Object.keys(values).flatMap((field) => {
        const { name, label } = getSpelling(kind, field)
        const theirs = record.values[field]
        return theirs !== undefined && !isSameValue(theirs, ours[name] ?? '') ? [label] : []
      })
    },
  }
}

function namesOf(kind: CrmKind, converted: readonly string[] = []): string[] {
  return [...Object.keys(spellings[kind].fields), ...converted].map((field) => getSpelling(kind, field).name)
}

function toStanding(kind: CrmKind, record: RecordAnswer): CrmStandingRecord {
  const { fields, converted, key } = spellings[kind]
  const properties = record.properties ?? {}
  const values = Object.entries({ ...fields, ...converted }).flatMap(
    ([field, { name }]): [string, string][] => (name in properties ? [[field, properties[name] ?? '']] : []),
  )
  return {
    recordId: record.id,
    key: properties[getSpelling(kind, key).name] || null,
    updatedAt: instantIn(properties[modifiedName])?.toISOString() ?? record.updatedAt ?? null,
    values: Object.fromEntries(values),
    mergedIds: listIn(record, mergedIdsName).filter((id) => /^\d+$/.test(id)),
    tiedTo: {},
  }
}

/** HubSpot's own types, by the name or the id that lists use for them. */
const targetNames: Readonly<Record<string, 'company' | 'contact'>> = {
  companies: 'company',
  contacts: 'contact',
  [companyTypeId]: 'company',
  [contactTypeId]: 'contact',
}

/** Custom types have names of their own, and a request asks for only one of them. */
function tiesOf(record: ListedRecord): CrmStandingRecord['tiedTo'] {
  const named = Object.entries(record.associations ?? {}).map(([name, list]) => ({
    target: targetNames[name] ?? 'subscription',
    list,
  }))
  const idsOf = (target: string) => {
    const found = named.filter((one) => one.target === target)
    const isWhole = found.every(({ list }) => list.paging?.next === undefined)
    return isWhole ? [...new Set(found.flatMap(({ list }) => list.results.map(({ id }) => id)))] : undefined
  }
  const [company, contact, subscription] = [idsOf('company'), idsOf('contact'), idsOf('subscription')]
  return {
    ...(company && { company }),
    ...(contact && { contact }),
    ...(subscription && { subscription }),
  }
}
