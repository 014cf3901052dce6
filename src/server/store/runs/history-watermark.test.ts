import { afterEach, describe, expect, it } from 'vitest'
import { generatedWorld, type ImportStage, stageImport } from '#test/import/stage-import.ts'
import { historyKinds } from '../../work/import/import-slice.ts'
import { inOrganization } from '../postgres/database.ts'
import { saveSlices } from './run-slices.ts'
import { findHistoryWatermark } from './slice-leases.ts'

const stages: ImportStage[] = []
afterEach(() => Promise.all(stages.splice(0).map((stage) => stage.close())))

type List = [kind: string, until: number | null, cursorAt: number | null, restOf?: (string | null)[]]

describe('how far back lists are in', () => {
  it.each<[string, List[], number | null]>([
    ['is after the second at the cursor', [['invoices', null, 500]], 501],
    ['is where a list that is not begun ends', [['invoices', 400, null]], 400],
    [
      'is the newest of all that is open',
      [
        ['invoices', 400, null],
        ['invoice_payments', 700, 600],
      ],
      601,
    ],
    [
      'is not known of a whole list that is not begun',
      [
        ['invoices', null, null],
        ['invoice_payments', 9, 5],
      ],
      null,
    ],
    [
      'does not ask for other lists',
      [
        ['customers', null, null],
        ['invoices', null, 500],
      ],
      501,
    ],
    [
      'is told by those of which pages are still to come',
      [
        ['invoices', 700, 600, ['cus_b', 'cus_a', null]],
        ['invoices', 600, 500],
      ],
      501,
    ],
    ['is without end where all pages are in', [['invoices', 700, 600, ['cus_b', 'cus_a', 'cus_b', null]]], 0],
  ])('%s', async (_, lists, since) => {
    const stage = await stageImport({ world: generatedWorld(1) })
    stages.push(stage)
    await stage.importAll()
    const { run } = await stage.start()
    const found = await inOrganization(stage.deps.database, stage.organizationId, async (tenant) => {
      const slices = lists.map(([kind, until, cursorAt, restOf], position) => ({
        ...{ slice: `${kind}:${position}`, position, cursor: null, doneCount: 0, isDone: false },
        state: {
          ...{ kind, from: null, until, cursorAt, oldestAt: null, isListed: restOf !== undefined },
          rest: (restOf ?? []).map((customerId, index) => ({ id: `in_${index}`, customerId })),
        },
      }))
      await saveSlices(tenant, run.id, slices)
      return findHistoryWatermark(tenant, run.id, historyKinds)
    })
    const unfinished = lists.some(([, , , restOf]) => restOf) ? ['cus_a', 'cus_b'] : []
    expect(found).toEqual(since === null ? null : { since, unfinished })
  })
})
