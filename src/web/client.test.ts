import { expect, test } from 'vitest'
import { ApiError, buildUrl, serverText } from './client.ts'

test('placeholders are filled and escaped', () => {
  expect(buildUrl('/api/stripe/subscriptions/{id}', { id: 'sub 1/2' })).toBe(
    '/api/stripe/subscriptions/sub%201%2F2',
  )
})

test('a missing placeholder is an error, never another address', () => {
  expect(() => buildUrl('/api/sync/status/{importId}', {})).toThrow('importId')
  expect(() => buildUrl('/api/sync/status/{importId}', { importId: '' })).toThrow('importId')
})

test('empty and undefined query values are left out', () => {
  const query = { page: 2, limit: '25', search: '', status: undefined }
  expect(buildUrl('/api/stripe/subscriptions', {}, query)).toBe('/api/stripe/subscriptions?page=2&limit=25')
})

test('query values are escaped', () => {
  expect(buildUrl('/api/x', {}, { search: 'a&b=c' })).toBe('/api/x?search=a%26b%3Dc')
})

test('doubled slashes collapse', () => {
  expect(buildUrl('/api//x///y')).toBe('/api/x/y')
})

test('an ApiError reads status and text, and yields its text', () => {
  const error = new ApiError(422, 'Stripe refused the key.')
  expect(error.message).toBe('422: Stripe refused the key.')
  expect(serverText(error, 'fallback')).toBe('Stripe refused the key.')
  expect(serverText(new ApiError(500, ''), 'fallback')).toBe('fallback')
  expect(serverText(new TypeError('fetch failed'), 'fallback')).toBe('fallback')
})
