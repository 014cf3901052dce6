// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
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
