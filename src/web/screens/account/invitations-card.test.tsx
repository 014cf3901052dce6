import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newWorld, type TestWorld } from '#test/harness.ts'
import { openApp, press } from '#test/web/open-app.tsx'

let world: TestWorld
beforeAll(async () => {
  world = await newWorld()
})
afterAll(() => world.close())

test('after an invitation, the focus is in the empty field, for the next colleague', async () => {
  openApp(world, await world.person(), '/account-profile?tab=organization')
  const field = await screen.findByLabelText<HTMLInputElement>(/^Email address/, { selector: 'input' })
  fireEvent.change(field, { target: { value: 'mara@friends.example' } })
  await press('Invite')
  await waitFor(() => expect(field.value).toBe(''))
  expect(document.activeElement).toBe(field)
})
