import { inject } from 'vitest'
import { newDatabase, type TestDatabase } from '../database.ts'
import { dropDatabase, endConnections, untilUnused } from '../query.ts'
import { nameOf } from '../template.ts'
import { finishSetupOf } from './finish-setup.ts'
import { type ImportStage, openStage, type StageOptions, stageImport } from './stage-import.ts'

type Original = { db: TestDatabase; organizationId: number }

/** By what was done with which world. A process keeps the latest few, since each takes room in memory. */
const originals = new Map<string, Promise<Original>>()
const originalsMax = 3

/**
 * A stage whose account is imported. An import costs ten times as much as the copy of a database, so it is made once for
 * equal worlds, without the other options.
 */
export const importedStage = (options: StageOptions): Promise<ImportStage> =>
  copyOf('imported', options, (stage) => stage.importAll())

/** A stage after `finishSetupOf`, which is made once for equal worlds. */
export const stageAfterSetup = (options: StageOptions): Promise<ImportStage> =>
  copyOf('set up', options, finishSetupOf)

async function copyOf(
  state: string,
  options: StageOptions,
  prepare: (stage: ImportStage) => Promise<unknown>,
): Promise<ImportStage> {
  const key = JSON.stringify([state, options.world])
  const original = originals.get(key) ?? makeOriginal(options, prepare)
  originals.delete(key)
  originals.set(key, original)
  const { db, organizationId } = await original
  const stage = openStage(options, await newDatabase(db), organizationId)
  await dropOldest()
  return stage
}

async function makeOriginal(
  { world }: StageOptions,
  prepare: (stage: ImportStage) => Promise<unknown>,
): Promise<Original> {
  const stage = await stageImport({ world })
  await prepare(stage)
  const { db, organizationId } = stage
  await db.database.destroy()
  await endConnections(db.ownerUrl)
  // A database in use cannot be copied.
  await untilUnused(inject('clusterUrl'), nameOf(db.databaseUrl))
  return { db, organizationId }
}

async function dropOldest(): Promise<void> {
  for (const [key, original] of [...originals].slice(0, -originalsMax)) {
    originals.delete(key)
    const { db } = await original
    await dropDatabase(inject('clusterUrl'), nameOf(db.databaseUrl))
  }
}
