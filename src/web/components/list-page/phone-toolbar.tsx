import { Button, Group, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { DateRange } from '../date-range/date-range.tsx'
import { rangeText } from '../date-range/range-words.ts'
import { CsvButton } from './csv-button.tsx'
import { FilterChips } from './filters/filter-chips.tsx'
import { FilterInputs } from './filters/filter-inputs.tsx'
import { PhoneFilters } from './filters/phone-filters.tsx'
import { fieldsOf, ListSelects } from './list-selects.tsx'
import { ListSearch, type ListToolbarProps } from './list-toolbar.tsx'

type PhoneToolbarProps = ListToolbarProps & {
  sortChoice: ReactNode
  /** Whether rows are those of the table, and no cards. */
  isTable: boolean
  onTable: (isTable: boolean) => void
  /** Leads from the filters to the rows. */
  shownText: string
}

/**
 * What stands above a list on a narrow screen: the search, and one button for all that narrows, sorts, keeps or saves the
 * list. What is set shows as chips, so that the rows begin on the first screen.
 */
export function PhoneToolbar({ sortChoice, shownText, isTable, onTable, ...props }: PhoneToolbarProps) {
  const { description, actions, above, controls, range } = props
  const fields = fieldsOf(props)
  return (
    <>
      {description === undefined ? null : (
        <Text size="sm" c="dimmed">
          {description}
        </Text>
      )}
      <Group>
        <ListSearch {...props} />
      </Group>
      <PhoneFilters
        isOpenAnyway={(range?.problem ?? null) !== null}
        shownText={shownText}
        beside={
          <>
            <Button variant="default" onClick={() => onTable(!isTable)}>
              {isTable ? 'Cards' : 'Table'}
            </Button>
            {actions}
            <FilterChips controls={controls} fields={fields.all} />
            {range === undefined || range.choice.name === 'all' ? null : (
              <Button
                component={Link}
                to={range.queryOf({ name: 'all' })}
                size="compact-sm"
                variant="light"
                maw="100%"
                rightSection={<IconX size={14} aria-hidden />}
                aria-label={`Remove the days ${rangeText(range.days)}`}
              >
                {rangeText(range.days)}
              </Button>
            )}
          </>
        }
      >
        <Group grow>
          <ListSelects {...controls} {...props} />
        </Group>
        {sortChoice}
        {range === undefined ? null : <DateRange controls={range} canCompare={false} />}
        <FilterInputs controls={controls} fields={fields.others} />
        <Group gap="xs">
          {props.views}
          {props.csvHref === undefined ? null : <CsvButton href={props.csvHref} />}
        </Group>
      </PhoneFilters>
      {above}
    </>
  )
}
