import { expect, test } from 'vitest'
import { companyNameMax } from '#contract/matches.ts'
import { newCompanyName } from './decisions.ts'

test.each([
  ['a name that fits', 'Harbour Ltd', 'Harbour Ltd'],
  ['a name that is too long', 'x'.repeat(300), 'x'.repeat(companyNameMax)],
  ['a character that the end would split', `${'x'.repeat(199)}🚢`, 'x'.repeat(199)],
  ['a space at the end', `${'x'.repeat(199)} and Sons`, 'x'.repeat(199)],
  ['no name but a domain', 'n/a', 'harbour.example'],
])('a new company with %s gets a name that the server takes', (_, customerName, name) => {
  expect(newCompanyName({ customerName, domain: 'harbour.example' })).toBe(name)
})
