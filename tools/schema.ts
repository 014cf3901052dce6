/** Writes db/schema.sql and the row types from a freshly migrated database: `npm run schema`. */
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { migrate } from '#server/store/installation/migrate.ts'
import { describeSchema } from './describe-schema.ts'
import { createOwnedDatabase } from './owned-database.ts'
import { startCluster, temporaryFolder } from './postgres.ts'

const root = join(import.meta.dirname, '..')

/** Row types of a migrated database as the text for src/server/store/postgres/tables.ts. */
export function generateTables(url: string, outFile: string): string {
  execFileSync(
    process.execPath,
    [
      join(root, 'node_modules/kysely-codegen/dist/cli/bin.js'),
      '--url',
      url,
      '--dialect',
      'postgres',
      '--out-file',
      outFile,
      '--numeric-parser',
      'number',
      '--date-parser',
      'string',
      '--type-mapping',
      JSON.stringify({ int8: 'number' }),
      '--exclude-pattern',
      '(migrations|application_role|pgboss.*)',
    ],
    { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] },
  )
  return readFileSync(outFile, 'utf8')
}

if (import.meta.main) {
  const folder = temporaryFolder('tributary-schema-')
  const cluster = await startCluster({
    folder: join(folder, 'data'),
    password: 'schema',
    settings: { fsync: 'off' },
  })
  try {
    const url = await createOwnedDatabase(cluster, 'tributary')
    await migrate(url)
    generateTables(url, join(root, 'src/server/store/postgres/tables.ts'))
    writeFileSync(join(root, 'db/schema.sql'), await describeSchema(url))
  } finally {
    await cluster.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
