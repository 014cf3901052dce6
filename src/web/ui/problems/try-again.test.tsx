import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { type ReactNode, useState } from 'react'
import { afterEach, expect, test } from 'vitest'
// The import adds what jsdom lacks.
import '#test/web/open-app.tsx'
import { TryAgain } from './try-again.tsx'

afterEach(cleanup)

function Part({ children }: { children: ReactNode }) {
  const [isAsked, ask] = useState(false)
  return (
    <main>
      <section aria-label="Part">{isAsked ? children : <TryAgain onRetry={() => ask(true)} />}</section>
    </main>
  )
}

const ask = (children: ReactNode) => {
  render(<Part>{children}</Part>, { wrapper: MantineProvider })
  const button = screen.getByRole('button', { name: 'Try again' })
  button.focus()
  button.click()
}

test('the part around the button gets its focus when what was asked for takes its place', async () => {
  ask('Loading')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Part' })))
})

test('what took the focus in the meantime keeps it', async () => {
  // biome-ignore lint/a11y/noAutofocus: the field of a form takes the focus when it opens
  ask(<input aria-label="Name" autoFocus />)
  await new Promise((done) => setTimeout(done))
  expect(document.activeElement).toBe(screen.getByLabelText('Name'))
})
