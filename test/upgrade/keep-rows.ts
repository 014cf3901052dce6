/**
 * Saves the rows of a small account as this version stores them, for the upgrade test: `npm run keep-rows`, at each
 * release.
 */
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fillDemo } from '../../tools/demo.ts'
import { temporaryFolder } from '../../tools/postgres.ts'
import { startProduct } from '../../tools/product.ts'
import { rowsAsSql } from './rows.ts'

const folder = temporaryFolder('tributary-rows-')
const product = await startProduct({
  folder,
  environment: {},
  say: () => {},
  simulatorArgs: ['--customers=6'],
})
try {
  await fillDemo({ address: product.address, say: () => {} })
  if (product.superuserUrl === null) throw new Error('DATABASE_URL must not be set')
  const newest = readdirSync(join(import.meta.dirname, '../../db/migrations'))
    .sort()
    .at(-1)
    ?.slice(0, 4)
  writeFileSync(
    join(import.meta.dirname, `${newest}-rows.sql`),
    `-- Rows of a small account; written by npm run keep-rows.\n${await rowsAsSql(product.superuserUrl)}`,
  )
} finally {
  await product.stop()
  rmSync(folder, { recursive: true, force: true })
}
