import { expect, test } from 'vitest'
import { isOnlyPassed, isOpen, isStepDone, shownSteps, stepToContinue } from './setup-steps.ts'

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

test('the objects step is shown on itself, and as not done once it was passed without objects', () => {
  expect(shownSteps('payments')).toEqual(['crm', 'payments', 'import', 'sync', 'finish'])
  expect(shownSteps('objects')).toContain('objects')
  expect(
    ['payments', 'import', 'sync'].map((step) => shownSteps(step as 'sync', true).includes('objects')),
  ).toEqual([false, true, true])
  expect(isOnlyPassed('objects', 'import', nothingDone)).toBe(true)
})

test('what is passed or comes next is open, and nobody gets ahead of what a step needs', () => {
  const open = (current: 'crm' | 'import', flags: object) =>
    shownSteps(current).filter((step) => isOpen(step, current, { ...nothingDone, ...flags }))
  expect(open('crm', {})).toEqual(['crm'])
  expect(open('crm', { hubspotConnected: true })).toEqual(['crm', 'payments'])
  expect(open('import', {})).toEqual(['crm', 'payments', 'import'])
  expect(open('import', { dataImported: true })).toEqual(['crm', 'payments', 'import', 'sync'])
  expect(open('import', { dataSynced: true, setupComplete: true })).not.toContain('finish')
})

test.each([
  ['crm', {}, 'crm'],
  ['crm', { hubspotConnected: true, stripeConnected: true, dataImported: true }, 'sync'],
  ['crm', { stripeConnected: true, dataImported: true, dataSynced: true }, 'crm'],
  ['payments', { hubspotConnected: true, stripeConnected: true }, 'import'],
  // Who went on without HubSpot stays there, and the objects step is left by a press only.
  ['import', { stripeConnected: true }, 'import'],
  ['objects', { hubspotConnected: true, stripeConnected: true, dataImported: true }, 'objects'],
  ['sync', { hubspotConnected: true, stripeConnected: true, dataImported: true, dataSynced: true }, 'finish'],
] as const)('the setup that stopped at %s goes on at the first step not done: %o', (saved, flags, step) => {
  expect(stepToContinue(saved, { ...nothingDone, ...flags })).toBe(step)
})
