import { Anchor, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { IconAlertCircle, IconAlertTriangle } from '@tabler/icons-react'
import { Link } from 'react-router'
import { getAttention } from '#contract/dashboard.ts'
import { useEndpoint } from '../../client.ts'
import { Term } from '../../components/terms/term.tsx'
import { freshMs } from '../../queries/freshness.ts'
import { useCurrentUser, useObstacles } from '../../queries/session.ts'
import { TryAgain } from '../../ui/problems/try-again.tsx'
import { Ago } from '../../ui/time/instant.tsx'
import { type AttentionItem, attentionItems } from './attention-items.ts'
import classes from './dashboard.module.css'

type Attended = {
  items: AttentionItem[]
  isAwaited: boolean
  /** Asks again after a failure; null if it is known. */
  retry: (() => void) | null
}

/** What needs attention; null where nothing does. While it is awaited, its place is kept. */
export function useAttention(): Attended | null {
  const attention = useEndpoint(getAttention, {}, { staleTime: freshMs.records })
  const isImported = useCurrentUser().data?.setupProgress?.dataImported === true
  const { areObjectsMissing } = useObstacles()
  const items = attention.data === undefined ? [] : attentionItems(attention.data, areObjectsMissing)
  const isAwaited = attention.isPending && isImported
  const retry = attention.data === undefined && attention.isError ? () => void attention.refetch() : null
  return items.length === 0 && !isAwaited && retry === null ? null : { items, isAwaited, retry }
}

/** Shows what a person should look at, each with the list that shows it. */
export function AttentionCard({ items, isAwaited, retry }: Attended) {
  return (
    <Card withBorder component="section" aria-label="Needs attention">
      <Stack gap="sm">
        <Title order={2} size="h4">
          Needs attention
        </Title>
        {retry === null ? null : (
          <Stack gap="xs" align="flex-start" role="alert">
            <Text size="sm">What needs attention could not be loaded.</Text>
            <TryAgain onRetry={retry} />
          </Stack>
        )}
        <Stack component="ul" gap="xs" p={0} m={0} style={{ listStyle: 'none' }}>
          {isAwaited ? usualItems.map((at) => <Skeleton key={at} className={classes.awaited ?? ''} />) : null}
          {items.map((item) => (
            <Item key={item.to + item.text} item={item} />
          ))}
        </Stack>
      </Stack>
    </Card>
  )
}

/** The place that is kept for what most organizations have: customers to match, payments past due, planned ends. */
const usualItems = [0, 1, 2]

function Item({ item: { text, note, at, atSays, term, to, isBroken } }: { item: AttentionItem }) {
  const Icon = isBroken ? IconAlertCircle : IconAlertTriangle
  const color = isBroken ? 'var(--mantine-color-error)' : 'var(--mantine-color-yellow-text)'
  return (
    <Group component="li" gap="sm" wrap="nowrap" align="flex-start">
      <Icon size={18} color={color} style={{ flexShrink: 0, marginTop: 2 }} aria-hidden />
      <Group gap="sm" flex={1} style={{ rowGap: 0 }}>
        {/* 24 px high, within the room of one line. */}
        <Anchor component={Link} to={to} size="sm" fw={500} py={2} my={-2}>
          {text}
        </Anchor>
        {note === '' ? null : (
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {at === undefined ? null : (
              <>
                {atSays} <Ago at={at} />.{' '}
              </>
            )}
            {term === undefined ? note : <Term name={term}>{note}</Term>}
          </Text>
        )}
      </Group>
    </Group>
  )
}
