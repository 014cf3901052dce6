import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { smallWorld } from '#simulators/stripe/testing/small-world.ts'
import { run as query } from '#test/database.ts'
import { demoKey, type ImportStage, stageImport } from '#test/import/stage-import.ts'
import { connectPayments } from '../work/connections/connect-payments.ts'
import { startImport } from '../work/import/start-import.ts'
import { createEnqueue } from './enqueue.ts'
import { startWorker, type Worker } from './start-worker.ts'

let stage: ImportStage
let worker: Worker
let isAway = false
beforeEach(async () => {
  isAway = false
  stage = await stageImport({
    world: smallWorld(),
    around: (fetch) => (request) =>
      isAway && request.url.includes('/v1/invoices')
        ? Promise.resolve(new Response('', { status: 503 }))
        : fetch(request),
  })
  stage.deps.enqueue = createEnqueue()
  await connectPayments(stage.deps, stage.organizationId, demoKey)
  isAway = true
  worker = await startWorker(stage.deps, { url: stage.db.url, concurrency: 1 })
})
afterEach(async () => {
  await worker.stop()
  await stage.close()
})

const start = (isScheduled: boolean) =>
  startImport(stage.deps, stage.organizationId, { mode: 'historical' }, { isScheduled })
const runs = () => query(stage.db.ownerUrl, 'select status, phase, message, error, attempt from runs')
const jobs = () =>
  query(
    stage.db.ownerUrl,
    `select state, round(extract(epoch from start_after - created_on))::integer as waits from pgboss.job
      where name = 'import' order by created_on`,
  )
const untilRun = (expected: object) =>
  expect.poll(runs, { interval: 100 }).toEqual([expect.objectContaining(expected)])

describe('when the provider is away for longer', () => {
  it('a scheduled run waits, says until when, and has one job for then', async () => {
    await start(true)
    await untilRun({ status: 'in_progress', phase: 'waiting', attempt: 1 })
    expect(await runs()).toMatchObject([
      { error: null, message: expect.stringMatching(/^Stripe .* It goes on at \d\d:\d\d UTC\.$/) },
    ])
    await expect.poll(jobs).toEqual([
      { state: 'completed', waits: 0 },
      { state: 'created', waits: 60 },
    ])
  })

  it('goes on at once when a person asks for it', async () => {
    const { runId } = await start(true)
    await untilRun({ phase: 'waiting' })
    isAway = false
    expect(await start(false)).toEqual({ runId, isNew: false })
    await untilRun({ status: 'completed', attempt: 2 })
  })

  it('a run that a person started fails with the reason', async () => {
    await start(false)
    await untilRun({
      status: 'failed',
      error: expect.stringMatching(/^Stripe .* Try again in a few minutes/),
    })
  })
})

describe('when the disk of the database is full', () => {
  it('the run says so, and goes on once there is room', async () => {
    isAway = false
    await query(
      stage.db.ownerUrl,
      `create function no_room() returns trigger language plpgsql as $$
         begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
       create trigger no_room before insert on invoices for each statement execute function no_room()`,
    )
    await start(true)
    await untilRun({
      status: 'in_progress',
      message: 'The database cannot write, since its disk is full. It goes on by itself once there is room.',
    })
    await query(stage.db.ownerUrl, 'drop function no_room cascade')
    await expect.poll(runs, { interval: 200 }).toEqual([expect.objectContaining({ status: 'completed' })])
  })
})
