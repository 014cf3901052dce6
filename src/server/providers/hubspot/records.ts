import { z } from 'zod'
import type { CrmAccess, CrmPage, CrmPort } from '../crm.ts'
import { listAnswer } from './answers.ts'
import type { HubspotClient } from './client.ts'
import { companyKey } from './objects.ts'
import { getSpelling, propertiesOf, spellings } from './to-hubspot/object-spelling.ts'
import { companyTypeId, contactTypeId, listPageSize, paths } from './version.ts'
import { type BatchRow, writeBatch } from './write-batch.ts'

type RecordCalls = Pick<
  CrmPort,
  'upsertRecords' | 'archiveRecords' | 'listCompanies' | 'listContacts' | 'upsertCompanies' | 'createContacts'
>
type ListedRecord = z.output<typeof listAnswer>['results'][number]

/** HubSpot's own association of a contact with a company, the one without a label. */
const contactToCompany = { associationCategory: 'HUBSPOT_DEFINED', associationTypeId: 279 }

export function createRecordCalls(call: HubspotClient): RecordCalls {
  const upsert = (
    access: CrmAccess,
    typeId: string,
    keyProperty: string,
    rows: readonly { key: string; properties: Record<string, string> }[],
  ) =>
    writeBatch(
      call,
      access,
      {
        path: paths.objectBatch(typeId, 'upsert'),
        readPath: paths.objectBatch(typeId, 'read'),
        keyProperty,
        isRepeatable: true,
      },
      rows.map(({ key, properties }, position): BatchRow => {
        const traceId = `${position}`
        return {
          key,
          traceId,
          properties,
          input: { id: key, idProperty: keyProperty, properties, objectWriteTraceId: traceId },
        }
      }),
    )

  return {
    upsertRecords: (access, kind, objectTypeId, writes) =>
      upsert(
        access,
        objectTypeId,
        getSpelling(kind, spellings[kind].key).name,
        writes.map(({ key, values }) => ({ key, properties: propertiesOf(kind, values) })),
      ),
    async archiveRecords(access, objectTypeId, recordIds) {
      await call(access, {
        method: 'POST',
        path: paths.objectBatch(objectTypeId, 'archive'),
        json: { inputs: recordIds.map((id) => ({ id })) },
        answer: z.unknown(),
      })
    },
    async listCompanies(access, after) {
      const properties = ['name', 'domain', 'hs_additional_domains', 'hs_merged_object_ids']
      const page = await listPage(call, access, companyTypeId, after, { properties: properties.join(',') })
      return {
        after: page.after,
        rows: page.rows.map((record) => ({
          recordId: record.id,
          name: valueIn(record, 'name') || null,
          domains: [valueIn(record, 'domain'), ...listIn(record, 'hs_additional_domains')].filter(Boolean),
          mergedIds: listIn(record, 'hs_merged_object_ids'),
        })),
      }
    },
    async listContacts(access, after) {
      const properties = ['email', 'hs_additional_emails', 'hs_merged_object_ids']
      const page = await listPage(call, access, contactTypeId, after, {
        properties: properties.join(','),
        associations: 'companies',
      })
      return {
        after: page.after,
        rows: page.rows.map((record) => ({
          recordId: record.id,
          emails: [valueIn(record, 'email'), ...listIn(record, 'hs_additional_emails')].filter(Boolean),
          companyRecordIds: [
            ...new Set(
              Object.values(record.associations ?? {}).flatMap(({ results }) => results.map(({ id }) => id)),
            ),
          ],
          mergedIds: listIn(record, 'hs_merged_object_ids'),
        })),
      }
    },
    upsertCompanies: (access, companies) =>
      upsert(
        access,
        companyTypeId,
        companyKey,
        companies.map(({ domain, name }) => ({
          key: domain,
          properties: { [companyKey]: domain, domain, name },
        })),
      ),
    createContacts: (access, contacts) =>
      writeBatch(
        call,
        access,
        {
          path: paths.objectBatch(contactTypeId, 'create'),
          readPath: paths.objectBatch(contactTypeId, 'read'),
          keyProperty: 'email',
          isRepeatable: false,
        },
        contacts.map(({ email, companyRecordId }, position): BatchRow => {
          const traceId = `${position}`
          const associations =
            companyRecordId === null ? [] : [{ to: { id: companyRecordId }, types: [contactToCompany] }]
          const properties = { email }
          return {
            key: email,
            traceId,
            properties,
            input: { properties, associations, objectWriteTraceId: traceId },
          }
        }),
      ),
  }
}

async function listPage(
  call: HubspotClient,
  access: CrmAccess,
  typeId: string,
  after: string | null,
  query: Record<string, string>,
): Promise<CrmPage<ListedRecord>> {
  const answer = await call(access, {
    method: 'GET',
    path: paths.objects(typeId),
    query: { limit: String(listPageSize), ...query, ...(after !== null && { after }) },
    answer: listAnswer,
  })
  const next = answer.paging?.next?.after ?? null
  return { rows: answer.results, after: next === after ? null : next }
}

function valueIn(record: ListedRecord, name: string): string {
  return record.properties?.[name] ?? ''
}

/** A list that HubSpot keeps as one text, parted by semicolons. */
function listIn(record: ListedRecord, name: string): string[] {
  return valueIn(record, name)
    .split(';')
    .map((part) => part.trim())
    .filter(Boolean)
}
