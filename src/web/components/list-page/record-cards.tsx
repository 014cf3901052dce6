import { Group, Paper, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { CardLines, RowTarget } from './column.ts'
import { useListAddress } from './list-address.ts'
import classes from './records-table.module.css'

type RecordCardsProps<T> = {
  label: string
  records: readonly T[]
  idOf: (record: T) => string
  cardOf: (record: T) => CardLines
  linkOf: ((record: T) => RowTarget | null) | undefined
}

/** Shows records on a narrow screen: each is a card of two lines, and one link. */
export function RecordCards<T>({ label, records, idOf, cardOf, linkOf }: RecordCardsProps<T>) {
  const state = useListAddress()
  return (
    <ul aria-label={label} className={classes.cards}>
      {records.map((record) => {
        const { title, amount, badge, date } = cardOf(record)
        const target = linkOf?.(record) ?? null
        return (
          <Paper key={idOf(record)} component="li" withBorder p="xs" pos="relative">
            {target === null ? null : (
              <Link to={target.to} state={state} className={classes.link} aria-label={target.label} />
            )}
            <Group justify="space-between" wrap="nowrap" gap="xs">
              <Text size="sm" fw={500} truncate>
                {title}
              </Text>
              <Text size="sm" component="div">
                {amount}
              </Text>
            </Group>
            <Group justify="space-between" wrap="nowrap" gap="xs" mt={4}>
              {badge}
              <Text size="sm" c="dimmed">
                {date}
              </Text>
            </Group>
          </Paper>
        )
      })}
    </ul>
  )
}
