import { MantineProvider } from '@mantine/core'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
// The import adds what jsdom lacks.
import '#test/web/open-app.tsx'
import { StartButton, StartIcon } from './start-button.tsx'

afterEach(cleanup)

const page = (children: ReactNode) => <MantineProvider>{children}</MantineProvider>
const shown = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save' })
/** A browser takes the focus off what is disabled. */
const keepsFocus = () => document.activeElement === shown() && !shown().disabled

const kinds = {
  'a busy button': (isOn: boolean, onClick: () => void) => (
    <StartButton isBusy={isOn} onClick={onClick}>
      Save
    </StartButton>
  ),
  'a button that is off': (isOn: boolean, onClick: () => void) => (
    <StartButton isOff={isOn} onClick={onClick}>
      Save
    </StartButton>
  ),
  'a picture that is off': (isOn: boolean, onClick: () => void) => (
    <StartIcon isOff={isOn} onClick={onClick} aria-label="Save">
      +
    </StartIcon>
  ),
}

test.each(Object.entries(kinds))('%s keeps the focus, and does nothing more', (_, button) => {
  const press = vi.fn()
  const { rerender } = render(page(button(false, press)))
  shown().focus()
  fireEvent.click(shown())
  expect(press).toHaveBeenCalledTimes(1)
  rerender(page(button(true, press)))
  expect(keepsFocus()).toBe(true)
  expect(shown().getAttribute('aria-disabled')).toBe('true')
  fireEvent.click(shown())
  expect(press).toHaveBeenCalledTimes(1)
  rerender(page(button(false, press)))
  fireEvent.click(shown())
  expect(press).toHaveBeenCalledTimes(2)
})

test.each(Object.entries(kinds))('%s is no stop of the keyboard once it is left', (_, button) => {
  render(page(button(true, vi.fn())))
  expect(shown().disabled).toBe(true)
})

test('a form is not sent again by its busy button', () => {
  const send = vi.fn((event: React.FormEvent) => event.preventDefault())
  const form = (isBusy: boolean) =>
    page(
      <form onSubmit={send}>
        <StartButton type="submit" isBusy={isBusy}>
          Save
        </StartButton>
      </form>,
    )
  const { rerender } = render(form(false))
  shown().focus()
  fireEvent.click(shown())
  rerender(form(true))
  fireEvent.click(shown())
  expect(send).toHaveBeenCalledTimes(1)
})

test('the part of the screen around it takes the focus of a button that is taken away', async () => {
  const part = (button: ReactNode) => page(<section aria-label="Invitations">{button}</section>)
  const { rerender } = render(part(<StartButton>Save</StartButton>))
  shown().focus()
  rerender(part(null))
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Invitations'))
})
