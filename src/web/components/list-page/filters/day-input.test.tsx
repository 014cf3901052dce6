import { MantineProvider } from '@mantine/core'
import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import '#test/web/open-app.tsx'
import { DayInput } from './day-input.tsx'

test('a day that the address brings is complete, also after one that was typed in part', () => {
  const field = (text: string) => (
    <MantineProvider>
      <DayInput label="From" span={undefined} otherEnd="" isLast={false} text={text} onChange={() => {}} />
    </MantineProvider>
  )
  const { rerender } = render(field('2026-01-01'))
  const input = screen.getByLabelText<HTMLInputElement>('From')
  Object.defineProperty(input, 'validity', { value: { badInput: true } })
  fireEvent.change(input, { target: { value: '' } })
  fireEvent.blur(input)
  expect(screen.queryByText('The day is not complete.')).not.toBeNull()
  rerender(field('2026-02-01'))
  expect(input.value).toBe('2026-02-01')
  expect(screen.queryByText('The day is not complete.')).toBeNull()
})
