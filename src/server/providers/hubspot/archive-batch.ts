import type { CrmAccess, CrmRefusedRecord } from '../crm.ts'
import { batchAnswer } from './answers.ts'
import type { HubspotClient } from './client.ts'
import { reasonOf } from './hubspot-error.ts'
import { isRefusal } from './pairs-in-halves.ts'

const refusedRecord = 'HubSpot refused to delete this record.'

/**
 * Takes records out and gives those that HubSpot refused to let go. A batch refused as a whole is halved until the
 * culprit stands alone; a record that is not there any more is what was wanted.
 */
export async function archiveBatch(
  call: HubspotClient,
  access: CrmAccess,
  path: string,
  recordIds: readonly string[],
): Promise<CrmRefusedRecord[]> {
  if (recordIds.length === 0) return []
  try {
    const answer = await call(access, {
      method: 'POST',
      path,
      json: { inputs: recordIds.map((id) => ({ id })) },
      answer: batchAnswer.optional(),
    })
    return (answer?.errors ?? []).flatMap((error) => {
      const ids = error.category === 'OBJECT_NOT_FOUND' ? [] : (error.context?.ids ?? error.context?.id ?? [])
      return ids.map((recordId) => ({ recordId, message: reasonOf(error, refusedRecord) }))
    })
  } catch (error) {
    if (!isRefusal(error)) throw error
    const [recordId = ''] = recordIds
    if (recordIds.length === 1) {
      return error.kind === 'not_found' ? [] : [{ recordId, message: reasonOf(error.answer, refusedRecord) }]
    }
    const middle = Math.ceil(recordIds.length / 2)
    return [
      ...(await archiveBatch(call, access, path, recordIds.slice(0, middle))),
      ...(await archiveBatch(call, access, path, recordIds.slice(middle))),
    ]
  }
}
