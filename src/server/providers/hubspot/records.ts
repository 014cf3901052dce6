import { z } from 'zod'
import type { CrmPort } from '../crm.ts'
import type { CrmAccess } from '../crm-directory.ts'
import { archiveBatch } from './archive-batch.ts'
import type { HubspotCall, HubspotClient } from './client.ts'
import { companyKey } from './company-key.ts'
import { HubspotError, unanswered } from './hubspot-error.ts'
import { getSpelling, propertiesOf } from './to-hubspot/object-spelling.ts'
import { spellings } from './to-hubspot/our-objects.ts'
import { companyTypeId, contactTypeId, paths } from './version.ts'
import { type BatchRow, writeBatch } from './write-batch.ts'

type RecordCalls = Pick<
  CrmPort,
  | 'upsertRecords'
  | 'restoreKeys'
  | 'archiveRecords'
  | 'createContacts'
  | 'clearCompany'
  | 'deleteContactForGood'
>

/** HubSpot's unlabelled association between a contact and a company. */
const contactToCompany = { associationCategory: 'HUBSPOT_DEFINED', associationTypeId: 279 }

export function createRecordCalls(call: HubspotClient): RecordCalls {
  return {
    upsertRecords: (access, kind, objectTypeId, writes) =>
      upsert(
        call,
        access,
        objectTypeId,
        getSpelling(kind, spellings[kind].key).name,
        writes.map(({ key, values, isNew }) => ({ key, properties: propertiesOf(kind, values), isNew })),
      ),
    restoreKeys: (access, kind, objectTypeId, records) =>
      restoreKeys(call, access, objectTypeId, getSpelling(kind, spellings[kind].key).name, records),
    archiveRecords: (access, objectTypeId, recordIds) =>
      archiveBatch(call, access, paths.objectBatch(objectTypeId, 'archive'), recordIds),
    deleteContactForGood: (access, recordId) =>
      unlessGone(call, access, paths.object(contactTypeId, recordId), {
        method: 'POST',
        path: paths.contactGdprDelete,
        json: { objectId: recordId },
      }),
    clearCompany: (access, recordId, { name, domain, key }) => {
      const path = paths.object(companyTypeId, recordId)
      const properties = {
        ...(name !== null && { name }),
        ...(domain && { domain: '' }),
        ...(key && { [companyKey]: '' }),
      }
      return unlessGone(call, access, path, { method: 'PATCH', path, json: { properties } })
    },
    createContacts: (access, contacts) => createContacts(call, access, contacts),
  }
}

function upsert(
  call: HubspotClient,
  access: CrmAccess,
  typeId: string,
  keyProperty: string,
  rows: readonly { key: string; properties: Record<string, string>; isNew: boolean }[],
) {
  return writeBatch(
    call,
    access,
    {
      path: paths.objectBatch(typeId, 'upsert'),
      typeId,
      keyProperty,
      isUpsert: true,
    },
    rows.map(({ key, properties, isNew }, position): BatchRow => {
      const traceId = `${position}`
      return {
        key,
        traceId,
        properties,
        isNew,
        input: { id: key, idProperty: keyProperty, properties, objectWriteTraceId: traceId },
      }
    }),
  )
}

/** An update by HubSpot's own id, since the key does not find these records. */
function restoreKeys(
  call: HubspotClient,
  access: CrmAccess,
  typeId: string,
  keyProperty: string,
  records: readonly { recordId: string; key: string }[],
) {
  return writeBatch(
    call,
    access,
    { path: paths.objectBatch(typeId, 'update'), typeId, keyProperty, isUpsert: true },
    records.map(({ recordId, key }, position): BatchRow => {
      const traceId = `${position}`
      const properties = { [keyProperty]: key }
      return {
        ...{ key, traceId, properties, isNew: false },
        input: { id: recordId, properties, objectWriteTraceId: traceId },
      }
    }),
  )
}

function createContacts(
  call: HubspotClient,
  access: CrmAccess,
  contacts: Parameters<CrmPort['createContacts']>[1],
) {
  return writeBatch(
    call,
    access,
    {
      path: paths.objectBatch(contactTypeId, 'create'),
      typeId: contactTypeId,
      keyProperty: 'email',
      isUpsert: false,
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
        isNew: true,
        input: { properties, associations, objectWriteTraceId: traceId },
      }
    }),
  )
}

/**
 * A record that no longer exists counts as changed. A missing route and some gateways answer 404 as well, so the record itself is
 * asked for.
 */
async function unlessGone(
  call: HubspotClient,
  access: CrmAccess,
  recordPath: string,
  change: Omit<HubspotCall<unknown>, 'answer'>,
): Promise<void> {
  const answer = z.unknown()
  try {
    await call(access, { ...change, answer })
  } catch (error) {
    if (!isNotFound(error)) throw error
    const stands = call(access, { method: 'GET', path: recordPath, answer })
    const isGone = await stands.then(() => false, isNotFound)
    if (!isGone) throw unanswered({ method: change.method, path: change.path }, error)
  }
}

const isNotFound = (error: unknown) => error instanceof HubspotError && error.kind === 'not_found'
