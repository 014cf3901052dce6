import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newWorld, type TestWorld } from '#test/harness.ts'
import { openApp, press } from '#test/web/open-app.tsx'

let world: TestWorld
beforeAll(async () => {
  world = await newWorld({ environment: { OPERATOR_EMAILS: 'ops@tools.example' } })
})
afterAll(() => world.close())

test('a number that cannot be is asked for again at its field, without a call, and not changed silently', async () => {
  const operator = await world.person({ email: 'ops@tools.example' })
  const asked: string[] = []
  const noting: typeof fetch = (input, init) => {
    asked.push(String(input))
    return operator.fetch(input, init)
  }
  for (const [path, name, least, wrongs] of [
    ['/test-data', 'Number', '0', ['-3', '']],
    ['/operator/subscription-data', 'User ID', '1', ['99999999999']],
  ] as const) {
    openApp(world, { ...operator, fetch: noting }, path)
    const field = (await screen.findByRole('textbox', { name })) as HTMLInputElement
    for (const wrong of wrongs) {
      fireEvent.change(field, { target: { value: wrong } })
      fireEvent.blur(field)
      await press('Fetch Data')
      await screen.findByText(`Enter a whole number from ${least} to 999,999,999.`)
      expect(field.getAttribute('aria-invalid')).toBe('true')
      expect(document.activeElement).toBe(field)
      expect(screen.queryByText(/Subscriptions: |must match pattern/)).toBeNull()
    }
    expect(asked.filter((one) => one.includes('subscription-data/'))).toEqual([])
    if (path !== '/test-data') {
      const id = operator.userId
      fireEvent.change(field, { target: { value: String(id) } })
      await press('Fetch Data')
      const whose = await screen.findByText(new RegExp(`, the organization of user ${id}: `))
      expect(whose.textContent).toContain('ops@tools.example')
    }
    fireEvent.change(field, { target: { value: '4711' } })
    expect(screen.queryByText(/the organization of user/)).toBeNull()
    expect(screen.queryByText(/^Enter a whole number/)).toBeNull()
    expect(field.getAttribute('aria-invalid')).not.toBe('true')
    await press('Fetch Data')
    if (path === '/test-data') await screen.findByText(/^Subscriptions: \d/)
    else await screen.findByText(/^There is no user with this ID/)
    fireEvent.change(field, { target: { value: '' } })
    expect(screen.queryByText(/^(?:Subscriptions: \d|There is no user)/)).toBeNull()
    asked.length = 0
    cleanup()
  }
})
