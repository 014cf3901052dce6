import { MantineProvider } from '@mantine/core'
import { act, cleanup, renderHook, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
// The import adds what jsdom lacks.
import '#test/web/open-app.tsx'
import { hubspotChannelName } from '../../../queries/hubspot-channel.ts'
import { ToastHost } from '../../../ui/toast.tsx'
import { useHubspotPopup } from './use-hubspot-popup.ts'

const authUrl = 'https://app.hubspot.example/oauth/authorize?state=x'
let popup: { closed: boolean; close(): void; location: { href: string } }
let opened: unknown[][]
let asked: string[]
let isConnected: boolean

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  popup = { closed: false, close: () => {}, location: { href: '' } }
  opened = []
  asked = []
  isConnected = false
  vi.stubGlobal('open', (...given: unknown[]) => {
    opened.push(given)
    return popup
  })
  vi.stubGlobal('fetch', async (input: string) => {
    const { pathname } = new URL(String(input), 'http://here.example')
    asked.push(pathname)
    return Response.json(pathname.endsWith('/auth-url') ? { authUrl } : { connected: isConnected })
  })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const passes = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const verified = () => asked.filter((path) => path === '/api/hubspot/verify').length

async function connect(onConnected: () => void) {
  const { result } = renderHook(() => useHubspotPopup(onConnected), {
    wrapper: ({ children }) => (
      <MantineProvider>
        <ToastHost>{children}</ToastHost>
      </MantineProvider>
    ),
  })
  await act(() => result.current.connect())
  return () => result.current
}

test('opens 800x600, looks each second whether it is closed, and asks three times, two seconds apart', async () => {
  const popupNow = await connect(() => expect.unreachable())
  expect(opened).toEqual([['about:blank', expect.any(String), 'popup,width=800,height=600']])
  expect(popup.location.href).toBe(authUrl)
  await passes(30_000)
  expect(verified()).toBe(0)

  popup.closed = true
  await passes(999)
  expect(verified()).toBe(0)
  await passes(1)
  expect(verified()).toBe(1)
  await passes(1_999)
  expect(verified()).toBe(1)
  await passes(1)
  expect(verified()).toBe(2)
  await passes(2_000)
  expect(verified()).toBe(3)
  expect(screen.getByText('Connection Failed')).toBeTruthy()
  await passes(30_000)
  expect(verified()).toBe(3)

  expect(popupNow().failure).toMatch(/^Failed to connect to HubSpot\./)
  popup.closed = false
  await act(() => popupNow().connect())
  expect(popupNow().failure).toBeNull()
})

test('ends with the first yes', async () => {
  let times = 0
  await connect(() => {
    times += 1
  })
  popup.closed = true
  await passes(1_000)
  isConnected = true
  await passes(2_000)
  expect([verified(), times]).toEqual([2, 1])
  await passes(30_000)
  expect([verified(), times]).toEqual([2, 1])
})

test('verifies a consent once, though the closed popup and its message both tell of it', async () => {
  let times = 0
  isConnected = true
  const popupNow = await connect(() => {
    times += 1
  })
  popup.closed = true
  await passes(1_000)
  expect([verified(), times]).toEqual([1, 1])
  const told = new BroadcastChannel(hubspotChannelName)
  told.postMessage('')
  told.close()
  await act(() => new Promise((done) => setImmediate(done)))
  expect([verified(), popupNow().isBusy]).toEqual([1, false])

  popup.closed = false
  await act(() => popupNow().connect())
  popup.closed = true
  await passes(1_000)
  expect([verified(), times]).toEqual([2, 2])
})

test.each([
  ['a refusal of ours', JSON.stringify({ error: { code: 'internal', message: 'boom' } })],
  ['a page of a proxy', '<html><body>Bad gateway</body></html>'],
])('says no more than that there is no address after %s', async (_, body) => {
  vi.stubGlobal('fetch', async () => new Response(body, { status: 502 }))
  await connect(() => expect.unreachable())
  expect(screen.getByText('Failed to generate HubSpot authorization URL.')).toBeTruthy()
})
