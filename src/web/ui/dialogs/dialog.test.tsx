import { MantineProvider } from '@mantine/core'
import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
// The import adds what jsdom lacks.
import '#test/web/open-app.tsx'
import { Dialog } from './dialog.tsx'

afterEach(cleanup)

type PartProps = { isOpen: boolean; hasOpener?: boolean; hasDialog?: boolean }

function Part({ isOpen, hasOpener = true, hasDialog = true }: PartProps) {
  return (
    <MantineProvider env="test">
      <section aria-label="Around">
        {hasOpener ? <button type="button">Open</button> : null}
        {hasDialog ? (
          <Dialog opened={isOpen} onClose={() => undefined} title="Question">
            <button type="button">Do it</button>
          </Dialog>
        ) : null}
      </section>
    </MantineProvider>
  )
}

/** Opens the dialog by its button, and waits until the dialog has the focus. */
async function open(): Promise<(next: PartProps) => void> {
  const { rerender } = render(<Part isOpen={false} />)
  screen.getByRole('button', { name: 'Open' }).focus()
  rerender(<Part isOpen />)
  const dialog = await screen.findByRole('dialog')
  await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true))
  return (next) => act(() => rerender(<Part {...next} />))
}

const expectFocusOn = (place: HTMLElement) => waitFor(() => expect(document.activeElement).toBe(place))

test('gives the focus back to what opened it', async () => {
  const show = await open()
  show({ isOpen: false })
  await expectFocusOn(screen.getByRole('button', { name: 'Open' }))
})

test.each<[string, PartProps[]]>([
  ['together with it', [{ isOpen: false, hasOpener: false }]],
  ['and the dialog with it', [{ isOpen: true, hasOpener: false, hasDialog: false }]],
  [
    'before it is closed',
    [
      { isOpen: true, hasOpener: false },
      { isOpen: false, hasOpener: false },
    ],
  ],
  ['a moment after it is closed', [{ isOpen: false }, { isOpen: false, hasOpener: false, hasDialog: false }]],
])('gives it to the part around what opened it, when that goes %s', async (_, steps) => {
  const show = await open()
  for (const step of steps) show(step)
  await expectFocusOn(screen.getByRole('region', { name: 'Around' }))
})
