import { describe, expect, it } from 'vitest'
import { stepAfter, stepBefore, unearnedReason } from './setup.ts'

describe('the wizard', () => {
  it('goes crm, payments, import, sync, finish', () => {
    expect(stepAfter('crm')).toBe('payments')
    expect(stepAfter('payments')).toBe('import')
    expect(stepAfter('objects')).toBe('import')
    expect(stepAfter('finish')).toBeUndefined()
  })

  it('goes back past the objects step', () => {
    expect(stepBefore('import')).toBe('payments')
    expect(stepBefore('objects')).toBe('payments')
    expect(stepBefore('crm')).toBeUndefined()
  })
})

describe('a claim', () => {
  const nothing = { crm: false, payments: false, dataImported: false, dataSynced: false }
  const all = { crm: true, payments: true, dataImported: true, dataSynced: true }
  const never = { import: false, push: false }
  const ask = (claimed: object, done = nothing, ever = never) => unearnedReason(claimed, done, ever, 'Acme')

  it('of nothing is never refused', () => {
    expect([ask({}), ask({ dataImported: false, dataSynced: false, setupComplete: false })]).toEqual([
      undefined,
      undefined,
    ])
  })

  it.each([
    [{ dataImported: true }, 'No import has completed yet. Import first.'],
    [{ dataSynced: true }, 'No sync to Acme has completed yet. Sync first.'],
    [{ setupComplete: true }, 'The setup has steps that are not done yet. Finish them first.'],
  ])('of %j is refused before it is earned, and not after', (claimed, reason) => {
    expect(ask(claimed)).toBe(reason)
    expect(ask(claimed, all)).toBeUndefined()
  })

  it('from before a reset is refused only for the whole setup', () => {
    const ever = { import: true, push: true }
    expect(ask({ dataImported: true, dataSynced: true }, nothing, ever)).toBeUndefined()
    expect(ask({ setupComplete: true }, nothing, ever)).toBeDefined()
  })

  it.each(['crm', 'payments', 'dataImported', 'dataSynced'] as const)(
    'of the whole setup is refused without %s',
    (missing) => {
      expect(ask({ setupComplete: true }, { ...all, [missing]: false })).toBeDefined()
    },
  )
})
