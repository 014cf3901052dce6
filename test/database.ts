import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { type Database, openDatabase } from '#server/store/postgres/database.ts'
import { searchDump } from './dump.ts'
import { templateName } from './postgres.ts'

export type TestDatabase = {
  /** As the application uses it: the role without power. */
  database: Database
  url: string
  /** As DATABASE_URL names it: its owner, who is no superuser. */
  databaseUrl: string
  /** As the cluster's superuser, for looking behind the walls. */
  ownerUrl: string
  close(): Promise<void>
}

/** A database of its own, cloned from the migrated template; searched for secrets, then gone, after close(). */
export async function newDatabase(): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const clusterUrl = inject('clusterUrl')
  const databaseUrl = atDatabase(inject('templateUrl'), name)
  const owner = new URL(databaseUrl).username
  await run(clusterUrl, `create database ${name} template ${templateName} strategy file_copy owner ${owner}`)
  const ownerUrl = atDatabase(clusterUrl, name)
  const url = atDatabase(inject('applicationUrl'), name)
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

/** A database of the same plain owner with nothing in it. */
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

/** One statement at the address. */
export async function run<Row extends pg.QueryResultRow>(url: string, text: string, values: unknown[] = []) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}
