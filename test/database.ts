import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { type Database, openDatabase } from '#server/store/database.ts'
import { applicationUrl } from '#server/store/migrate.ts'
import { searchDump } from './dump.ts'
import { templateName } from './postgres.ts'

export type TestDatabase = {
  /** As the application uses it: the role without power. */
  database: Database
  url: string
  /** As the owner, for looking behind the walls. */
  ownerUrl: string
  close(): Promise<void>
}

/** A database of its own, cloned from the migrated template; searched for secrets, then gone, after close(). */
export async function newDatabase(): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const clusterUrl = inject('clusterUrl')
  await run(clusterUrl, `create database ${name} template ${templateName}`)
  const owner = new URL(clusterUrl)
  owner.pathname = `/${name}`
  const ownerUrl = owner.href
  const url = applicationUrl(ownerUrl)
  const database = openDatabase({ url, poolSize: 10, statementTimeoutMs: 30_000, onError: () => {} })
  return {
    database,
    url,
    ownerUrl,
    close: async () => {
      await database.destroy()
      await searchDump(ownerUrl)
      await run(clusterUrl, `drop database ${name} with (force)`)
    },
  }
}

/** One statement as the owner of the database. */
export async function run<Row extends pg.QueryResultRow>(url: string, text: string, values: unknown[] = []) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}
