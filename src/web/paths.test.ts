import { describe, expect, test } from 'vitest'
import { listOf, parentOf, paths, safeRedirect, titleOf, withRedirect } from './paths.ts'

describe('titleOf', () => {
  test.each([
    ['/', 'Dashboard'],
    ['/sync-errors', 'Sync History'],
    ['/match-review', 'Match Review'],
    ['/setup/import', 'Setup Wizard'],
    ['/subscriptions/sub_1', 'Subscription Details'],
    ['/what-changed/12', 'Rule Changes'],
    ['/org-selection', 'Tributary'],
  ])('%s is titled %s', (path, title) => expect(titleOf(path)).toBe(title))
})

test.each([
  ['/subscriptions/sub_1', 'Subscriptions'],
  ['/customers/cus_1', 'Customers'],
  ['/what-changed/12', 'Rule Changes'],
  ['/subscriptions', undefined],
  ['/setup/import', undefined],
])('the record at %s belongs to %s', (path, title) =>
  expect(listOf(path) && titleOf(listOf(path) ?? '')).toBe(title),
)

test.each([
  ['/diagnostics', 'Data Sync'],
  ['/hubspot-objects', 'Data Sync'],
  ['/what-changed', 'MRR Analytics'],
  ['/terms', 'MRR Analytics'],
  ['/what-changed/12', 'Rule Changes'],
  ['/sync-history', undefined],
])('above %s is %s', (path, title) => expect(parentOf(path) && titleOf(parentOf(path) ?? '')).toBe(title))

describe('safeRedirect', () => {
  const origin = 'https://app.example.com'
  test.each([
    ['/events?page=2#top', '/events?page=2#top'],
    ['https://app.example.com/events', '/events'],
    ['events', '/events'],
  ])('%s is followed', (value, expected) => expect(safeRedirect(value, origin, '/d')).toBe(expected))

  test.each([
    null,
    '',
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '\\\\evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://app.example.com.evil.example/',
    'https://app.example.com@evil.example/',
    'http://app.example.com/',
    'https://app.example.com//evil.example/',
    '/.//evil.example/',
    'http://[',
  ])('%s falls back', (value) => expect(safeRedirect(value, origin, '/d')).toBe('/d'))
})

test('the way back is named only when it is not the start page', () => {
  expect(withRedirect(paths.organizationSelection, '/')).toBe('/org-selection')
  expect(withRedirect(paths.organizationSelection, '/events?page=2')).toBe(
    '/org-selection?redirectUrl=%2Fevents%3Fpage%3D2',
  )
})
