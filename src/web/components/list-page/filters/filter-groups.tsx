import { Box, Group, Stack, Text } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import type { FilterField } from './filter-field.ts'

/** The fields of a form of filters that are about one thing, below its heading. */
export function FilterGroup({ title, children }: { title: string; children: ReactNode }) {
  const titleId = useId()
  return (
    <Stack gap="xs" role="group" aria-labelledby={titleId}>
      <Text
        id={titleId}
        size="xs"
        fw={700}
        c="dimmed"
        pt={8}
        style={{ borderTop: '1px solid var(--mantine-color-default-border)' }}
      >
        {title}
      </Text>
      {children}
    </Stack>
  )
}

type SpanLineProps = {
  of: string
  currency: string | undefined
  note: string | undefined
  /** The fields of both ends. */
  children: ReactNode
}

/** Both ends of one span in a line, below what they are of. */
export function SpanLine({ of, currency, note, children }: SpanLineProps) {
  const noteId = useId()
  return (
    <Box role="group" aria-label={of} {...(note === undefined ? {} : { 'aria-describedby': noteId })}>
      <Text size="sm" fw={600}>
        {currency === undefined ? of : `${of} (${currency.toUpperCase()})`}
      </Text>
      {note === undefined ? null : (
        <Text id={noteId} size="xs" c="dimmed">
          {note}
        </Text>
      )}
      <Group grow align="flex-start" gap="xs" wrap="nowrap">
        {children}
      </Group>
    </Box>
  )
}

/** The label of a field. An end of a span shows which end it is, below what both are of, and is named in full. */
export const labelled = (label: string, span: FilterField['span']) =>
  span === undefined ? { label } : { label: span.end, labelProps: { fw: 400 }, 'aria-label': label }
