import { randomUUID } from 'node:crypto'
import { inject } from 'vitest'
import { applicationUrl } from '#server/store/installation/application-role.ts'
import { partitionTables } from '#server/store/installation/partition-tables.ts'
import { type Database, openDatabase } from '#server/store/postgres/database.ts'
import { searchDump } from './dump.ts'
import { dropDatabase, endConnections, keepConnections, run } from './query.ts'
import { atDatabase, copyTemplate, nameOf, type TestAddresses, templateName } from './template.ts'

export { dropDatabase, run }

export type TestDatabase = {
  /** Connects as the application does: with the restricted role. */
  database: Database
  url: string
  /** Connects as DATABASE_URL does: as the owner, who is no superuser. */
  databaseUrl: string
  /** Connects as the cluster's superuser, to look past row security. */
  ownerUrl: string
  close(): Promise<void>
}

/**
 * A separate database, cloned from the migrated template or from another one that nobody is connected to; close() searches
 * it for secrets and drops it.
 */
export async function newDatabase(original?: OwnedDatabase): Promise<TestDatabase> {
  const addresses = { clusterUrl: inject('clusterUrl'), templateUrl: inject('templateUrl') }
  const migrated = await chosenTemplate(addresses)
  const template = original ? { ...migrated, name: nameOf(original.databaseUrl) } : migrated
  const { databaseUrl, ownerUrl, drop } = await copyTemplate(addresses, template.name)
  const url = atDatabase(template.applicationUrl, nameOf(databaseUrl))
  keepConnections(ownerUrl)
  const database = openDatabase({ url, poolSize: 10, statementTimeoutMs: 30_000, onError: () => {} })
  return {
    database,
    url,
    databaseUrl,
    ownerUrl,
    close: async () => {
      await database.destroy()
      await searchDump(ownerUrl)
      await endConnections(ownerUrl)
      await drop()
    },
  }
}

type Template = { name: string; applicationUrl: string }

let partitioned: Promise<Template> | undefined

/** The template that the test project asks for: TEST_PARTITIONS divides its tables, as `tributary partition` does. */
function chosenTemplate(addresses: TestAddresses): Promise<Template> | Template {
  const parts = process.env['TEST_PARTITIONS']
  if (parts === undefined) return { name: templateName, applicationUrl: inject('applicationUrl') }
  partitioned ??= partitionTemplate(addresses, Number(parts))
  return partitioned
}

/** Makes a partitioned template of this process, so that processes need not wait for each other. */
async function partitionTemplate(addresses: TestAddresses, parts: number): Promise<Template> {
  const { databaseUrl } = await copyTemplate(addresses)
  await partitionTables(databaseUrl, { parts })
  return { name: nameOf(databaseUrl), applicationUrl: await applicationUrl(databaseUrl) }
}

type OwnedDatabase = Pick<TestDatabase, 'databaseUrl' | 'ownerUrl' | 'close'>

/** A database of the same ordinary owner: empty, or the copy of one that nobody is connected to. */
export async function newEmptyDatabase(original?: OwnedDatabase): Promise<OwnedDatabase> {
  const name = `empty_${randomUUID().replaceAll('-', '')}`
  const template = original ? `template ${nameOf(original.databaseUrl)} strategy file_copy` : ''
  const clusterUrl = inject('clusterUrl')
  const databaseUrl = atDatabase(inject('templateUrl'), name)
  await run(clusterUrl, `create database ${name} ${template} owner ${new URL(databaseUrl).username}`)
  return {
    databaseUrl,
    ownerUrl: atDatabase(clusterUrl, name),
    close: async () => {
      await dropDatabase(clusterUrl, name)
      await run(clusterUrl, `drop role if exists tributary_app_${name}`)
    },
  }
}
