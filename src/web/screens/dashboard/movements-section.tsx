import { Anchor, Box, Card, Center, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { Link, useLocation } from 'react-router'
import type { BridgeAnswer, MovementsAnswer } from '#contract/mrr.ts'
import { fxName, type PartColor, partColors } from '../../components/charts/movements/movement-words.ts'
import { MovementsChart } from '../../components/charts/movements/movements-chart.tsx'
import { Swatch } from '../../components/charts/movements/swatch.tsx'
import { DateRange } from '../../components/date-range/date-range.tsx'
import { useDateRange } from '../../components/date-range/use-date-range.ts'
import { eventsAddress } from '../../components/events-address.ts'
import { formatMoneyChange } from '../../components/figures/format-money.ts'
import { MoneyChange } from '../../components/figures/money.tsx'
import { paths } from '../../paths.ts'
import { useMovements } from '../../queries/movements.ts'
import { Outdated } from '../../ui/outdated.tsx'
import { ReadFailure } from '../../ui/problems/unread.tsx'

const heightPx = 220
const sumsPx = 44

/** Shows what moved MRR in the chosen days, small, and leads to the whole of it. */
export function MovementsSection() {
  const range = useDateRange('12m')
  const { search } = useLocation()
  const { movements, before } = useMovements(range)
  return (
    <Card withBorder component="section" aria-label="Movements">
      <Stack gap="sm" h="100%">
        <Group justify="space-between">
          <Title order={2} size="h4">
            Movements
          </Title>
          <Anchor
            component={Link}
            to={`${paths.mrrAnalytics}${search}`}
            size="sm"
            aria-label="View All Movements"
          >
            View All
          </Anchor>
        </Group>
        <DateRange controls={range} />
        {movements.data === undefined ? (
          <Center h={heightPx + sumsPx + 12}>
            {movements.isPending ? (
              <Skeleton height={heightPx + sumsPx + 12} />
            ) : (
              <Failure what="The movements" {...movements} />
            )}
          </Center>
        ) : (
          <Outdated isOld={movements.isPlaceholderData} grows>
            <Movements answer={movements.data} before={before.data} />
          </Outdated>
        )}
        {movements.data === undefined ? null : <Failure what="The period before" {...before} />}
      </Stack>
    </Card>
  )
}

type FailureProps = { what: string; error: Error | null; refetch: () => unknown }

function Failure({ what, error, refetch }: FailureProps) {
  if (error === null) return null
  return <ReadFailure title={`${what} could not be loaded`} error={error} onRetry={() => void refetch()} />
}

function Movements({ answer, before }: { answer: MovementsAnswer; before: MovementsAnswer | undefined }) {
  const { periods, total, from, to, currency } = answer
  if (periods.length === 0 || from === null || to === null) {
    return (
      <Center h={heightPx + sumsPx + 12}>
        <Text c="dimmed">Nothing moved MRR in these days.</Text>
      </Center>
    )
  }
  return (
    <>
      {/* It is as high as the card allows, so that no hole is below it. */}
      <Box flex={1} mih={heightPx} pos="relative">
        <Box pos="absolute" inset={0}>
          <MovementsChart periods={periods} currency={currency} height="100%" hasLegend={false} />
        </Box>
      </Box>
      <Group
        component="ul"
        gap="md"
        p={0}
        m={0}
        mih={sumsPx}
        style={{ listStyle: 'none', rowGap: 4 }}
        aria-label="Sums"
      >
        <Sum
          name="Net new"
          color={{ color: 'var(--mantine-color-text)' }}
          cents={total.net}
          before={before?.total.net}
          to={eventsAddress({ from, to })}
          currency={currency}
        />
        {total.moves
          .filter(({ events }) => events > 0)
          .map(({ movement, change }) => (
            <Sum
              key={movement}
              name={movement}
              color={partColors[movement]}
              cents={change}
              before={before && changeOf(before.total, movement)}
              to={eventsAddress({ mrrStatus: movement, from, to })}
              currency={currency}
            />
          ))}
        {total.fx ? (
          <Sum
            name={fxName}
            color={partColors[fxName]}
            cents={total.fx}
            before={before?.total.fx}
            to={null}
            currency={currency}
          />
        ) : null}
      </Group>
    </>
  )
}

function changeOf({ moves }: BridgeAnswer, wanted: string): number {
  return moves.find(({ movement }) => movement === wanted)?.change ?? 0
}

type SumProps = {
  name: string
  /** That of its bars or line in the chart. */
  color: PartColor
  cents: number
  before: number | undefined
  /** Its events; null for what is no event's. */
  to: string | null
  currency: string
}

/** One sum of the range with its events, and that of the period before. */
function Sum({ name, color, cents, before, to, currency }: SumProps) {
  return (
    <li>
      <Group gap={6} wrap="nowrap">
        <Swatch {...color} />
        <Text size="xs" c="dimmed">
          {name}
        </Text>
      </Group>
      {to === null ? (
        <Text size="sm">
          <MoneyChange amountCents={cents} currency={currency} />
        </Text>
      ) : (
        <Anchor component={Link} to={to} size="sm" c="inherit">
          <MoneyChange amountCents={cents} currency={currency} />
        </Anchor>
      )}
      {before === undefined ? null : (
        <Text size="xs" c="dimmed">
          before {formatMoneyChange(before, currency)}
        </Text>
      )}
    </li>
  )
}
