import { expect, it } from 'vitest'
import { untilSealKeysChecked } from './require-seal-keys.ts'
import { createSeal } from './seal.ts'
import { openDatabase } from './store/postgres/database.ts'

it('says once a minute, not at each try, that the keys cannot be checked yet', async () => {
  const url = 'postgres://owner:password@127.0.0.1:9/x'
  const database = openDatabase({ url, poolSize: 1, statementTimeoutMs: 1_000, onError: () => {} })
  const lines: string[] = []
  let waitedMs = 0
  const needs = {
    database,
    seal: createSeal(new Map([[1, Buffer.alloc(32, 7)]])),
    log: { error: (_: object, text: string) => lines.push(text) } as never,
    sleep: async (ms: number) => {
      waitedMs += ms
      if (waitedMs > 90_000) throw new Error('long enough')
    },
  }
  await expect(untilSealKeysChecked(needs)).rejects.toThrow('long enough')
  expect(lines).toEqual(['the key ring cannot be checked yet', 'the key ring cannot be checked yet'])
  await database.destroy()
})
