import { afterEach, expect, test, vi } from 'vitest'
import { getAbout } from '#contract/account.ts'
import { inviteMember } from '#contract/organization.ts'
import { ApiError, buildUrl, call, serverText } from './client.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

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

const refusal = async (body: string, init: ResponseInit): Promise<ApiError> => {
  vi.stubGlobal('fetch', async () => new Response(body, init))
  const error = await call(getAbout).catch((thrown: unknown) => thrown)
  if (!(error instanceof ApiError)) throw error
  return error
}

test('a page that a proxy puts in the way of an answer is shown nowhere', async () => {
  const page = `<html><body>Bad gateway ${'x'.repeat(5_000)}</body></html>`
  const error = await refusal(page, { status: 502, statusText: 'Bad Gateway' })
  expect(serverText(error, 'fallback')).toBe('fallback')
  expect(error.message).toBe('502: Bad Gateway')
  // HTTP/2 has no such text.
  expect((await refusal(page, { status: 502 })).message).toBe('502: no answer of ours')
})

test('short text of another is in the message, and never taken for ours', async () => {
  const error = await refusal('upstream timed out', { status: 504 })
  expect(error.message).toBe('504: upstream timed out')
  expect(serverText(error, 'fallback')).toBe('fallback')
})

test('a change that is under way is not sent again, another or a later one is', async () => {
  const sent: string[] = []
  let answer = () => {}
  const answers = new Promise<void>((resolve) => {
    answer = resolve
  })
  vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
    sent.push(String(init.body))
    await answers
    return Response.json({ id: '1', email: 'a@b.example' })
  })
  const invite = (email: string) => call(inviteMember, { body: { email, role: 'member' } })
  const all = [invite('a@b.example'), invite('a@b.example'), invite('c@d.example')]
  expect(sent.map((body) => JSON.parse(body).email)).toEqual(['a@b.example', 'c@d.example'])
  answer()
  expect(await Promise.all(all)).toHaveLength(3)
  await invite('a@b.example')
  expect(sent).toHaveLength(3)
})

test('what fails once may be sent again', async () => {
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('fetch failed')))
  const invite = () => call(inviteMember, { body: { email: 'a@b.example', role: 'member' } })
  await expect(invite()).rejects.toThrow('fetch failed')
  vi.stubGlobal('fetch', async () => Response.json({ id: '1', email: 'a@b.example' }))
  expect(await invite()).toMatchObject({ id: '1' })
})
