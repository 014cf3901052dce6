import { describe, expect, it } from 'vitest'
import { defaultPolicy } from '#domain/mrr/exact/policy.ts'
import { readPolicySwitches } from './policy-switches.ts'

const { revision: _, ...defaults } = defaultPolicy

describe('the switches of a policy', () => {
  it('have their defaults where they are absent', () => {
    expect(readPolicySwitches({})).toEqual(defaults)
    expect(readPolicySwitches({ unpaid: 'counts' })).toEqual({ ...defaults, unpaid: 'counts' })
  })

  it('are read as they were written', () => {
    const chosen = {
      discounts: 'lasting',
      churnAt: 'request',
      unpaid: 'counts',
      pastDueChurnAfterDays: 30,
      furtherSubscription: 'movement',
      recreateWithinSeconds: 0,
      weeksPerMonth: [4, 1],
      daysPerMonth: [30, 1],
    }
    expect(readPolicySwitches(JSON.parse(JSON.stringify(chosen)))).toEqual(chosen)
    // The cases above cover every switch of a policy.
    expect(Object.keys(chosen).sort()).toEqual(Object.keys(defaults).sort())
  })

  it.each([
    ['discounts', 'none'],
    ['churnAt', null],
    ['unpaid', true],
    ['pastDueChurnAfterDays', 0],
    ['pastDueChurnAfterDays', '30'],
    ['pastDueChurnAfterDays', 1.5],
    ['furtherSubscription', 'toString'],
    ['recreateWithinSeconds', -1],
    ['weeksPerMonth', [52, 0]],
    ['weeksPerMonth', [52]],
    ['daysPerMonth', 30],
    ['daysPerMonth', [Number.NaN, 1]],
  ])('refuse %s = %j by name', (name, value) => {
    expect(() => readPolicySwitches({ [name]: value })).toThrow(new RegExp(`'${name}'`))
  })

  it('refuse what they do not know, and what is no object', () => {
    expect(() => readPolicySwitches({ discount: 'all' })).toThrow(/no switch 'discount'/)
    expect(() => readPolicySwitches(JSON.parse('{"__proto__": 1}'))).toThrow(/no switch '__proto__'/)
    for (const value of [null, [], 'all', undefined])
      expect(() => readPolicySwitches(value)).toThrow(TypeError)
  })
})
