import { MantineProvider } from '@mantine/core'
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import '#test/web/open-app.tsx'
import { ClockContext } from '../../ui/clock.ts'
import { RunPace } from './run-pace.tsx'

afterEach(cleanup)

test.each([
  [{ processed: 7, total: 9 }, false],
  [{ processed: 9, total: 9 }, true],
  [{ processed: 9, total: 9, isEndTold: true }, false],
])('an import of %o says what follows the last record: %s', (counts, isSaid) => {
  render(
    <MantineProvider>
      <ClockContext value={() => new Date(0)}>
        <RunPace work="import" {...counts} />
      </ClockContext>
    </MantineProvider>,
  )
  expect(screen.queryByText(/Calculating MRR…/) !== null).toBe(isSaid)
})

test('the time left is that of the count beside it, and not of the last sample', () => {
  vi.useFakeTimers()
  let atMs = 0
  const pace = (processed: number) => (
    <MantineProvider>
      <ClockContext value={() => new Date(atMs)}>
        <RunPace work="sync" processed={processed} total={3_600} />
      </ClockContext>
    </MantineProvider>
  )
  const { rerender } = render(pace(100))
  rerender(pace(600))
  atMs = 10_000
  act(() => vi.advanceTimersByTime(2_000))
  rerender(pace(2_600))
  screen.getByText(/^2,600 of 3,600 records sent\. 50 per second, about 20 seconds left\./)
  vi.useRealTimers()
})
