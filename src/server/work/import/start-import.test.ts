import { expect, it } from 'vitest'
import { unused } from '#test/unused.ts'
import { startImport } from './start-import.ts'

it('refuses a window that ends before it begins, before anything else is looked at', async () => {
  const window = { from: new Date('2026-05-02'), until: new Date('2026-05-01') }
  await expect(startImport(unused('deps'), 1, { mode: 'window', ...window })).rejects.toMatchObject({
    code: 'invalid_request',
    message: 'startDate: must not lie after endDate.',
  })
})
