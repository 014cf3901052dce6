import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { useRef } from 'react'
import { afterEach, expect, test } from 'vitest'
import { useRescuedFocus } from './use-rescued-focus.ts'

afterEach(cleanup)

function Step({ isOpen, isOff = false }: { isOpen: boolean; isOff?: boolean }) {
  const within = useRef<HTMLDivElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useRescuedFocus(
    within,
    () => within.current?.querySelector<HTMLElement>('button:not(:disabled)') ?? heading.current,
  )
  return (
    <div ref={within}>
      <h1 ref={heading} tabIndex={-1}>
        Step
      </h1>
      {isOpen ? <button type="button">Start</button> : null}
      <button type="button" disabled={isOff}>
        Continue
      </button>
    </div>
  )
}

const expectFocusOn = (text: string) => waitFor(() => expect(document.activeElement?.textContent).toBe(text))

test('the focus of a button that is taken away goes to the next one', async () => {
  const { rerender } = render(<Step isOpen />)
  screen.getByRole('button', { name: 'Start' }).focus()
  rerender(<Step isOpen={false} />)
  await expectFocusOn('Continue')
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
  await expectFocusOn('Continue')
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

test('the focus goes on to the next button once that turns on, and stays there while it is off', async () => {
  const { rerender } = render(<Step isOpen isOff />)
  screen.getByRole('button', { name: 'Start' }).focus()
  rerender(<Step isOpen={false} isOff />)
  await expectFocusOn('Step')
  rerender(<Step isOpen={false} />)
  await expectFocusOn('Continue')
  rerender(<Step isOpen={false} isOff />)
  await new Promise((done) => setTimeout(done))
  expect(document.activeElement?.textContent).toBe('Continue')
})

test('a person who has moved on from the heading is not led to the next button', async () => {
  const { rerender } = render(<Step isOpen isOff />)
  screen.getByRole('button', { name: 'Start' }).focus()
  rerender(<Step isOpen={false} isOff />)
  await expectFocusOn('Step')
  screen.getByRole('heading').blur()
  rerender(<Step isOpen={false} />)
  await new Promise((done) => setTimeout(done))
  expect(document.activeElement).toBe(document.body)
})
