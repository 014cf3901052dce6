import { afterAll, beforeAll, expect, it } from 'vitest'
import { run as query } from '#test/database.ts'
import { demoKey } from '#test/import/stage-import.ts'
import { stageWorkers, type WorkerStage } from '#test/worker-stage.ts'
import { createSeal, type Seal } from '../seal.ts'
import { connectPayments } from '../work/connections/connect-payments.ts'
import { setWebhookSecret } from '../work/connections/payment-webhook.ts'
import { paymentsSealPlace, webhookSealPlace } from '../work/connections/payments-connection.ts'
import { type Rotation, rotateKeys } from '../work/connections/rotate-keys.ts'
import { startImport } from '../work/import/start-import.ts'

const first = Buffer.alloc(32, 7)
const second = Buffer.alloc(32, 8)
const ringText = `1:${first.toString('base64')},2:${second.toString('base64')}`
const both = new Map([
  [1, first],
  [2, second],
])
const webhookSecret = 'whsec_rotated_beside_an_import'

let workers: WorkerStage
beforeAll(async () => {
  workers = await stageWorkers()
})
afterAll(() => workers.close())

const runOf = async (organizationId: number) =>
  (
    await query<{ status: string; attempt: number }>(
      workers.stage.db.ownerUrl,
      'select status, attempt from runs where organization_id = $1',
      [organizationId],
    )
  )[0]
const rotate = (seal: Seal, all: boolean) => rotateKeys({ ...workers.stage.deps, seal }, { all })

it('renews both layers of keys under an import, which a successor with the new key alone ends whole', async () => {
  const { stage, provider } = workers
  const { deps, organizationId } = stage
  await setWebhookSecret(deps, organizationId, webhookSecret)
  await startImport(deps, organizationId, { mode: 'historical' })
  const holder = await workers.startProcess({ SEAL_KEYS: ringText, SEAL_WITH: '1' })
  await provider.held

  const renewed: Rotation = { resealed: 2, left: 0, unreadable: 0 }
  expect(await rotate(createSeal(both, 1), true)).toEqual(renewed)
  expect(await rotate(createSeal(both), false)).toEqual(renewed)
  expect(await runOf(organizationId)).toMatchObject({ status: 'in_progress', attempt: 1 })
  let isOver = false
  const rotating = (async () => {
    let rounds = 0
    for (; !isOver; rounds += 1) expect(await rotate(createSeal(both), true)).toEqual(renewed)
    return rounds
  })()
  await workers.startProcess({ SEAL_KEYS: `2:${second.toString('base64')}` })
  holder.child.kill('SIGTERM')
  await expect.poll(() => runOf(organizationId)).toMatchObject({ attempt: 2 })
  provider.release()
  await expect.poll(() => runOf(organizationId)).toMatchObject({ status: 'completed' })
  isOver = true
  expect(await rotating).toBeGreaterThan(5)

  const onlyNew = createSeal(new Map([[2, second]]))
  const sealed = async (table: string) =>
    (
      await query<{ sealed_secret: string }>(
        stage.db.ownerUrl,
        `select sealed_secret from ${table} where organization_id = $1`,
        [organizationId],
      )
    )[0]?.sealed_secret ?? ''
  expect(onlyNew.open(paymentsSealPlace(organizationId), await sealed('connections'))).toBe(demoKey)
  expect(onlyNew.open(webhookSealPlace(organizationId), await sealed('payment_webhooks'))).toBe(webhookSecret)

  const undisturbed = await stage.another('Two')
  await connectPayments({ ...deps, seal: onlyNew }, undisturbed.organizationId, demoKey)
  await startImport(deps, undisturbed.organizationId, { mode: 'historical' })
  await expect
    .poll(() => runOf(undisturbed.organizationId))
    .toMatchObject({ status: 'completed', attempt: 1 })
  const dump = await stage.dump()
  expect(dump['events']?.length).toBeGreaterThan(0)
  expect(dump).toEqual(await undisturbed.dump())
})
