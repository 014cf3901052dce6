import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { expect, inject, it } from 'vitest'
import { dropDatabase, run } from './query.ts'
import { atDatabase } from './template.ts'

it('a database is dropped after its last connection has ended, which is not cut off', async () => {
  const clusterUrl = inject('clusterUrl')
  await run(clusterUrl, 'create database still_in_use')
  const client = new pg.Client({ connectionString: atDatabase(clusterUrl, 'still_in_use') })
  const cutOff: Error[] = []
  client.on('error', (error) => cutOff.push(error))
  await client.connect()
  const dropped = dropDatabase(clusterUrl, 'still_in_use')
  await setTimeout(100)
  await client.end()
  await dropped
  expect(cutOff).toEqual([])
  expect(await run(clusterUrl, `select 1 from pg_database where datname = 'still_in_use'`)).toEqual([])
})
