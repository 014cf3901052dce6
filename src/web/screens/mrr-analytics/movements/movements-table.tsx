import { Badge, Table } from '@mantine/core'
import type { ReactNode } from 'react'
import type { BridgeAnswer, MovementsAnswer } from '#contract/mrr.ts'
import { addDays } from '#domain/date-range.ts'
import { movements } from '#domain/movement.ts'
import { fxName, periodLabel } from '../../../components/charts/movements/movement-words.ts'
import { eventsAddress } from '../../../components/events-address.ts'
import { Money, MoneyChange } from '../../../components/figures/money.tsx'
import { Term } from '../../../components/terms/term.tsx'
import type { TermName } from '../../../components/terms/terms.ts'
import { EventsCell, RowName } from '../events-cell.tsx'
import { FxCell } from '../fx-cell.tsx'

type Days = { from: string; to: string }
type MovementsTableProps = {
  answer: MovementsAnswer
  /** The period before, when it is compared. */
  before: MovementsAnswer | undefined
}

/** Lists each period from its start to its end, newest first. Every figure leads to its events. */
export function MovementsTable({ answer, before }: MovementsTableProps) {
  const { currency, periods, total, from, to } = answer
  const hasFx = [total, ...periods, before?.total].some((bridge) => (bridge?.fx ?? 0) !== 0)
  return (
    <Table.ScrollContainer minWidth={860} type="native" pos="relative" tabIndex={0}>
      <Table
        aria-label="MRR movements"
        withTableBorder
        horizontalSpacing={8}
        verticalSpacing={6}
        style={{ whiteSpace: 'nowrap' }}
      >
        <Table.Thead>
          <Table.Tr>
            {['Period', 'Start', ...movements, 'Net', ...(hasFx ? [fxName] : []), 'End'].map(
              (title, index) => (
                <Table.Th key={title} ta={index === 0 ? 'left' : 'right'}>
                  {explained[title] === undefined ? title : <Term name={explained[title]}>{title}</Term>}
                </Table.Th>
              ),
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {periods.toReversed().map((period) => (
            <BridgeRow
              key={period.name}
              name={
                <>
                  {periodLabel(period.name)}{' '}
                  {period.isRunning ? (
                    <Badge size="xs" variant="light" tt="none">
                      so far
                    </Badge>
                  ) : null}
                </>
              }
              label={periodLabel(period.name)}
              days={period}
              bridge={period}
              currency={currency}
              hasFx={hasFx}
            />
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          {from === null || to === null ? null : (
            <BridgeRow
              name="All of these"
              label="all of these"
              days={{ from, to }}
              bridge={total}
              currency={currency}
              hasFx={hasFx}
            />
          )}
          {before === undefined || before.from === null || before.to === null ? null : (
            <BridgeRow
              name="Period before"
              label="the period before"
              days={{ from: before.from, to: before.to }}
              bridge={before.total}
              currency={before.currency}
              hasFx={hasFx}
            />
          )}
        </Table.Tfoot>
      </Table>
    </Table.ScrollContainer>
  )
}

const explained: Record<string, TermName> = {
  New: 'new',
  Reactivation: 'reactivation',
  Upgrade: 'upgrade',
  Downgrade: 'downgrade',
  Churn: 'churn',
  Net: 'netNew',
  [fxName]: 'exchangeRates',
}

type BridgeRowProps = {
  name: ReactNode
  label: string
  days: Days
  bridge: BridgeAnswer
  currency: string
  hasFx: boolean
}

function BridgeRow({ name, label, days: { from, to }, bridge, currency, hasFx }: BridgeRowProps) {
  const levelAddress = (day: string) => (bridge.fx === undefined ? eventsAddress({ to: day }) : undefined)
  return (
    <Table.Tr>
      <RowName>{name}</RowName>
      <EventsCell to={levelAddress(addDays(from, -1))} label={`Start of ${label}`}>
        <Money amountCents={bridge.start} currency={currency} />
      </EventsCell>
      {bridge.moves.map(({ movement, change, events }) => (
        <EventsCell
          key={movement}
          to={events === 0 ? null : eventsAddress({ mrrStatus: movement, from, to })}
          label={`${movement} in ${label}`}
        >
          <MoneyChange amountCents={change} currency={currency} />
        </EventsCell>
      ))}
      <EventsCell to={eventsAddress({ from, to })} label={`Net of ${label}`}>
        <MoneyChange amountCents={bridge.net} currency={currency} />
      </EventsCell>
      {hasFx ? <FxCell bridge={bridge} currency={currency} /> : null}
      <EventsCell to={levelAddress(to)} label={`End of ${label}`}>
        <Money amountCents={bridge.end} currency={currency} />
      </EventsCell>
    </Table.Tr>
  )
}
