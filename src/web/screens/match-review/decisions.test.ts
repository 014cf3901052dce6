import { expect, test } from 'vitest'
import { companyNameMax, type Match } from '#contract/matches.ts'
import { firstSearch, newCompanyName } from './decisions.ts'

test.each([
  ['a name that fits', 'Harbour Ltd', 'Harbour Ltd'],
  ['a name that is too long', 'x'.repeat(300), 'x'.repeat(companyNameMax)],
  ['a character that the end would split', `${'x'.repeat(199)}🚢`, 'x'.repeat(199)],
  ['a space at the end', `${'x'.repeat(199)} and Sons`, 'x'.repeat(199)],
  ['no name but a domain', 'n/a', 'harbour.example'],
])('a new company with %s gets a name that the server takes', (_, customerName, name) => {
  expect(newCompanyName({ customerName, domain: 'harbour.example' })).toBe(name)
})

const waits = {
  customerName: 'Willow energy B.V.',
  domain: null,
  state: 'pending',
  candidates: [] as unknown[],
}

test.each([
  ['that no company fits, the name alone', waits, 'Willow energy'],
  [
    'without a name, the domain',
    { ...waits, customerName: null, domain: 'willow.example' },
    'willow.example',
  ],
  ['without both, nothing', { ...waits, customerName: null }, ''],
  ['that a company fits, nothing', { ...waits, candidates: [{}] }, ''],
  ['that is ignored, nothing', { ...waits, state: 'ignored' }, ''],
])('what is searched for at first is, for a customer %s', (_, match, text) => {
  expect(firstSearch(match as Match)).toBe(text)
  expect(newCompanyName(match)).toBe(match.customerName ?? match.domain)
})
