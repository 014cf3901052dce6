import { expect, test } from 'vitest'
import { losesLastOwner, mayChangeRole, mayRemove, type Role } from './membership.ts'

const who = (userId: number, role: Role) => ({ userId, role })

test.each([
  ['owner', 'owner', 'member', true],
  ['owner', 'member', 'owner', true],
  ['admin', 'member', 'admin', true],
  ['admin', 'admin', 'member', true],
  ['admin', 'member', 'owner', false],
  ['admin', 'owner', 'member', false],
  ['member', 'member', 'admin', false],
] as const)('%s making %s a %s: %s', (actor, target, role, expected) => {
  expect(mayChangeRole(who(1, actor), who(2, target), role)).toBe(expected)
})

test.each([
  ['owner', 'owner', 2, true],
  ['admin', 'member', 2, true],
  ['admin', 'owner', 2, false],
  ['member', 'member', 2, false],
  ['member', 'member', 1, true],
] as const)('%s removing %s number %i: %s', (actor, target, number, expected) => {
  expect(mayRemove(who(1, actor), who(number, target))).toBe(expected)
})

test('the last owner is one whom no other owner is beside', () => {
  const alone = [who(1, 'owner'), who(2, 'admin')]
  expect(losesLastOwner(alone, who(1, 'owner'), null)).toBe(true)
  expect(losesLastOwner(alone, who(1, 'owner'), 'admin')).toBe(true)
  expect(losesLastOwner(alone, who(1, 'owner'), 'owner')).toBe(false)
  expect(losesLastOwner(alone, who(2, 'admin'), null)).toBe(false)
  expect(losesLastOwner([...alone, who(3, 'owner')], who(1, 'owner'), null)).toBe(false)
})
