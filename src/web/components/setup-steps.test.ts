import { expect, test } from 'vitest'
import { isStepDone, shownSteps } from './setup-steps.ts'

const nothingDone = {
  hubspotConnected: false,
  stripeConnected: false,
  dataImported: false,
  dataSynced: false,
  setupComplete: false,
}

test('steps before the current one are done, the current and later ones are not', () => {
  expect(shownSteps('import').map((step) => isStepDone(step, 'import', nothingDone))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
})

test('a flag makes a later step done', () => {
  expect(isStepDone('import', 'crm', { ...nothingDone, dataImported: true })).toBe(true)
  expect(isStepDone('sync', 'crm', { ...nothingDone, dataImported: true })).toBe(false)
  expect(isStepDone('payments', 'crm', null)).toBe(false)
})

test('the objects step is shown only on itself', () => {
  expect(shownSteps('payments')).toEqual(['crm', 'payments', 'import', 'sync', 'finish'])
  expect(shownSteps('objects')).toContain('objects')
})
