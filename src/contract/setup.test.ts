import { expect, it } from 'vitest'
import { setupSteps } from '#domain/setup.ts'
import { spellStep, stepSpelled, stepSpellings } from './setup.ts'

it('spells the steps of the connections by their brands, in the order of the wizard', () => {
  expect(stepSpellings).toEqual(['hubspot', 'stripe', 'objects', 'import', 'sync', 'finish'])
  expect(setupSteps.map(spellStep)).toEqual(stepSpellings)
})

it('reads every spelling back, and nothing else', () => {
  expect(stepSpellings.map((spelling) => stepSpelled(spelling))).toEqual([...setupSteps])
  expect(['crm', 'constructor', ''].map((spelling) => stepSpelled(spelling))).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})
