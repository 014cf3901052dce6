import { expect, inject, it } from 'vitest'
import { dropDatabase, run } from '#test/database.ts'
import { atDatabase } from '#test/template.ts'
import { migrate } from './migrate.ts'
import { refuseOldServer, refuseOtherEncoding } from './server-version.ts'

it.each([90_624, 130_013, 140_006])('the server version %s is refused in one line', (number) => {
  const version = Math.floor(number / 10_000)
  expect(() => refuseOldServer(number)).toThrow(
    new RegExp(`^This is PostgreSQL ${version}, and [^\n]* needs 15 [^\n]*$`),
  )
})

it.each([150_000, 170_004, 180_001])('the server version %s is accepted', (number) => {
  expect(() => refuseOldServer(number)).not.toThrow()
})

it('a database that cannot store every name is refused in one line', async () => {
  expect(() => refuseOtherEncoding('SQL_ASCII')).toThrow(
    /^The database of DATABASE_URL stores texts as SQL_ASCII, and [^\n]+$/,
  )
  const clusterUrl = inject('clusterUrl')
  await run(
    clusterUrl,
    `create database in_latin template template0 encoding 'LATIN1' locale_provider libc locale 'C'`,
  )
  try {
    await expect(migrate(atDatabase(clusterUrl, 'in_latin'))).rejects.toThrow('stores texts as LATIN1')
  } finally {
    await dropDatabase(clusterUrl, 'in_latin')
  }
})
