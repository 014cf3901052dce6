import type { CrmRefusedRecord } from '../crm.ts'
import type { CrmAccess } from '../crm-directory.ts'
import { batchAnswer, type ErrorAnswer, isOwnFailure } from './answers.ts'
import type { HubspotClient } from './client.ts'
import { reasonOf, refusalOf } from './hubspot-error.ts'
import { writeInHalves } from './in-halves.ts'
import { refusalsOf } from './lone-refusals.ts'

const refusedRecord = 'HubSpot refused to delete this record.'

type Outcome = { recordId: string; refused: CrmRefusedRecord | null }

/**
 * Deletes records and returns those that HubSpot refused to delete. A refused batch is halved until each failing
 * record is isolated. A record that no longer exists counts as deleted.
 */
export async function archiveBatch(
  call: HubspotClient,
  access: CrmAccess,
  path: string,
  recordIds: readonly string[],
): Promise<CrmRefusedRecord[]> {
  const outcomes = await writeInHalves<{ recordId: string }, Outcome>(
    {
      write: (some) => archive(call, access, path, some),
      settle: async ({ recordId }, { kind, answer }) => ({
        recordId,
        refused: kind === 'not_found' ? null : { recordId, message: reasonOf(answer, refusedRecord) },
      }),
      isDone: ({ refused }) => refused === null,
      hold: ({ recordId }, message, isTried) => ({
        recordId,
        refused: { recordId, message, held: { isTried } },
      }),
      leave: ({ recordId }, message) => ({ recordId, refused: { recordId, message } }),
      recordOf: ({ recordId }) => recordId,
      refusals: refusalsOf(access, path),
    },
    recordIds.map((recordId) => ({ recordId })),
  )
  return outcomes.flatMap(({ refused }) => refused ?? [])
}

async function archive(
  call: HubspotClient,
  access: CrmAccess,
  path: string,
  records: readonly { recordId: string }[],
): Promise<Outcome[]> {
  const answer = await call(access, {
    method: 'POST',
    path,
    json: { inputs: records.map(({ recordId }) => ({ id: recordId })) },
    // Deleting may be repeated, so a failure of HubSpot's own counts as no answer.
    answer: batchAnswer.refine(({ errors = [] }) => !errors.some(isOwnFailure)).optional(),
  })
  const errors = (answer?.errors ?? []).filter(({ category }) => category !== 'OBJECT_NOT_FOUND')
  const unnamed = errors.find((error) => namedIn(error).length === 0)
  // Which record it concerns is found by halving.
  if (unnamed !== undefined) throw refusalOf(unnamed, refusedRecord)
  const refused = new Map(
    errors.flatMap((error) =>
      namedIn(error).map((recordId) => [recordId, reasonOf(error, refusedRecord)] as const),
    ),
  )
  return records.map(({ recordId }) => {
    const message = refused.get(recordId)
    return { recordId, refused: message === undefined ? null : { recordId, message } }
  })
}

const namedIn = ({ context }: ErrorAnswer) => context?.ids ?? context?.id ?? []
