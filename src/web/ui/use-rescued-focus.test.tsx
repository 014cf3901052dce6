// @vitest-environment jsdom
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { useRef } from 'react'
import { afterEach, expect, test } from 'vitest'
import { useRescuedFocus } from './use-rescued-focus.ts'

afterEach(cleanup)

function Step({ isOpen }: { isOpen: boolean }) {
  const within = useRef<HTMLDivElement>(null)
  useRescuedFocus(within, () => screen.getByRole('button', { name: 'Continue' }))
  return (
    <div ref={within}>
      {isOpen ? <button type="button">Start</button> : null}
      <button type="button">Continue</button>
    </div>
  )
}

test('the focus of a button that is taken away goes to the next one', async () => {
  const { rerender } = render(<Step isOpen />)
  screen.getByRole('button', { name: 'Start' }).focus()
  rerender(<Step isOpen={false} />)
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Continue'))
})

test('so does the focus that went to a dialog, when the dialog goes together with the button', async () => {
  const { rerender } = render(<Step isOpen />)
  screen.getByRole('button', { name: 'Start' }).focus()
  const dialog = document.body.appendChild(document.createElement('div'))
  dialog.setAttribute('role', 'dialog')
  const inDialog = dialog.appendChild(document.createElement('button'))
  inDialog.focus()
  await new Promise((done) => setTimeout(done))
  dialog.remove()
  rerender(<Step isOpen={false} />)
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Continue'))
})

test('a person who has left the button is not brought back when it is taken away', async () => {
  const { rerender } = render(<Step isOpen />)
  const start = screen.getByRole('button', { name: 'Start' })
  start.focus()
  start.blur()
  await new Promise((done) => setTimeout(done))
  rerender(<Step isOpen={false} />)
  await new Promise((done) => setTimeout(done))
  expect(document.activeElement).toBe(document.body)
})
