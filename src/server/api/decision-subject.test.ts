import { expect, it } from 'vitest'
import { decisionSubject, readDecision, readRule, ruleSubject } from './decision-subject.ts'

it.each([
  ['ignore', [{ customerId: 'cus_1' }], { about: 'cus_1', companyRecordId: null }],
  ['attach', [{ customerId: 'cus_1', companyRecordId: '99' }], { about: 'cus_1', companyRecordId: '99' }],
  ['always', [{ customerId: 'cus_1', companyRecordId: '99' }], { about: 'cus_1', companyRecordId: '99' }],
  ['create', [{ customerId: 'cus_1' }, { customerId: 'cus_2' }], { about: 2, companyRecordId: null }],
  ['undo', [{ customerId: 'cus_1' }], { about: 'cus_1', companyRecordId: null }],
] as const)('what was written for %s is read again', (deed, customers, read) => {
  expect(readDecision(decisionSubject(deed, customers))).toEqual({ deed, ...read })
})

it.each([null, '', 'Birch Press', 'attach', 'sell cus_1'])('%j is no decision', (subject) => {
  expect(readDecision(subject)).toBeNull()
})

it.each([null, '99'])('a rule for the company %s is read again, and is no decision', (companyRecordId) => {
  const subject = ruleSubject(companyRecordId)
  expect(readRule(subject)).toEqual({ companyRecordId })
  expect(readDecision(subject)).toBeNull()
})
