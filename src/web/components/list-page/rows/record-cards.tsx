import { Group, Paper, Text, VisuallyHidden } from '@mantine/core'
import { Link } from 'react-router'
import type { CardLines, RowTarget } from '../column.ts'
import { useListAddress } from '../list-address.ts'
import classes from './records-table.module.css'
import { rowClicks } from './row-clicks.ts'

type RecordCardsProps<T> = {
  label: string
  records: readonly T[]
  idOf: (record: T) => string
  currentId?: string | null | undefined
  cardOf: (record: T) => CardLines
  linkOf?: ((record: T) => RowTarget | null) | undefined
  onOpen?: ((record: T) => () => void) | undefined
}

/** Shows records on a narrow screen: each is a card that opens as a whole, and names all that it shows. */
export function RecordCards<T>(props: RecordCardsProps<T>) {
  const { label, records, idOf, currentId, cardOf, linkOf, onOpen } = props
  const state = useListAddress()
  return (
    <ul aria-label={label} className={classes.cards}>
      {records.map((record) => {
        const target = linkOf?.(record) ?? null
        return (
          <Paper
            key={idOf(record)}
            component="li"
            withBorder
            p="xs"
            className={classes.card}
            aria-current={idOf(record) === currentId || undefined}
            {...rowClicks(onOpen?.(record))}
          >
            {target === null ? null : (
              <Link to={target.to} state={state} className={classes.link} aria-label={target.label} />
            )}
            <Lines {...cardOf(record)} />
          </Paper>
        )
      })}
    </ul>
  )
}

function Lines({ title, amount, amountName, badge, date, more }: CardLines) {
  return (
    <>
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap="xs">
        <Text size="sm" fw={500} component="div" className={classes.words}>
          {title}
        </Text>
        <Text size="sm" component="div" ta="right">
          <VisuallyHidden>{amountName} </VisuallyHidden>
          {amount}
        </Text>
      </Group>
      {badge === null && date === null ? null : (
        <Group justify="space-between" gap="xs" mt={4}>
          <Text size="sm" component="div" className={classes.words}>
            {badge}
          </Text>
          <Text size="sm" c="dimmed" component="div" className={classes.words}>
            {date}
          </Text>
        </Group>
      )}
      {more === undefined ? null : (
        <Text size="sm" component="div" mt={4} className={classes.words}>
          {more}
        </Text>
      )}
    </>
  )
}
