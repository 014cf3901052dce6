import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { applicationUrl } from '#server/store/installation/application-role.ts'
import { partitionTables } from '#server/store/installation/partition-tables.ts'
import { type Database, openDatabase } from '#server/store/postgres/database.ts'
import { searchDump } from './dump.ts'
import { templateName } from './postgres.ts'

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

/** A separate database, cloned from the migrated template; close() searches it for secrets and drops it. */
export async function newDatabase(): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const clusterUrl = inject('clusterUrl')
  const databaseUrl = atDatabase(inject('templateUrl'), name)
  const owner = new URL(databaseUrl).username
  const template = await chosenTemplate(clusterUrl, owner)
  await run(clusterUrl, `create database ${name} template ${template.name} strategy file_copy owner ${owner}`)
  const ownerUrl = atDatabase(clusterUrl, name)
  const url = atDatabase(template.applicationUrl, name)
  const database = openDatabase({ url, poolSize: 10, statementTimeoutMs: 30_000, onError: () => {} })
  return {
    database,
    url,
    databaseUrl,
    ownerUrl,
    close: async () => {
      await database.destroy()
      await searchDump(ownerUrl)
      await run(clusterUrl, `drop database ${name} with (force)`)
    },
  }
}

type Template = { name: string; applicationUrl: string }

let partitioned: Promise<Template> | undefined

/** The template that the test project asks for: TEST_PARTITIONS divides its tables, as `tributary partition` does. */
function chosenTemplate(clusterUrl: string, owner: string): Promise<Template> | Template {
  const parts = process.env['TEST_PARTITIONS']
  if (parts === undefined) return { name: templateName, applicationUrl: inject('applicationUrl') }
  partitioned ??= partitionTemplate(clusterUrl, owner, Number(parts))
  return partitioned
}

/** Makes a partitioned template of this process, so that processes need not wait for each other. */
async function partitionTemplate(clusterUrl: string, owner: string, parts: number): Promise<Template> {
  const name = `${templateName}_${process.pid}`
  await run(clusterUrl, `create database ${name} template ${templateName} strategy file_copy owner ${owner}`)
  const url = atDatabase(inject('templateUrl'), name)
  await partitionTables(url, { parts })
  return { name, applicationUrl: await applicationUrl(url) }
}

/** An empty database of the same ordinary owner. */
export async function newEmptyDatabase(): Promise<Pick<TestDatabase, 'databaseUrl' | 'ownerUrl' | 'close'>> {
  const name = `empty_${randomUUID().replaceAll('-', '')}`
  const clusterUrl = inject('clusterUrl')
  const databaseUrl = atDatabase(inject('templateUrl'), name)
  await run(clusterUrl, `create database ${name} owner ${new URL(databaseUrl).username}`)
  return {
    databaseUrl,
    ownerUrl: atDatabase(clusterUrl, name),
    close: async () => {
      await run(clusterUrl, `drop database ${name} with (force)`)
      await run(clusterUrl, `drop role if exists tributary_app_${name}`)
    },
  }
}

function atDatabase(address: string, name: string): string {
  const url = new URL(address)
  url.pathname = `/${name}`
  return url.href
}

/** Runs one statement at the address. */
export async function run<Row extends pg.QueryResultRow>(url: string, text: string, values: unknown[] = []) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}
