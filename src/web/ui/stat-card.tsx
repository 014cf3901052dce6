import { Box, Card, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './stat-card.module.css'

type StatCardProps = {
  label: string
  value: ReactNode
  /** The level of its heading: 3 where the figure is of what a heading above it names. */
  order?: 2 | 3
  caption?: ReactNode
  isLoading?: boolean
  /** A small drawing of how the figure came about; its place is kept while it is null. */
  trend?: ReactNode
  /** Wraps the name in a link to what the figure counts; the whole card then leads there. */
  linked?: (name: ReactNode, className: string, label?: string) => ReactNode
  /** The name with its explanation. It can be pressed, so the link then lies beside it and over the card. */
  explained?: ReactNode
}

/** Shows one figure with its name. A long figure wraps, because a cut figure would read as another one. */
export function StatCard(props: StatCardProps) {
  const { label, value, order = 2, caption, isLoading = false, trend, linked, explained } = props
  return (
    <Card withBorder component="section" aria-label={label} className={classes.card ?? ''}>
      <Stack gap={4}>
        <Title order={order} size="sm" fw={500} c="dimmed">
          {explained ?? (linked === undefined ? label : linked(label, classes.link ?? ''))}
        </Title>
        <Skeleton visible={isLoading} w={isLoading ? 120 : undefined}>
          <Text
            data-figure
            fz={28}
            fw={600}
            lh={1.2}
            style={{ fontVariantNumeric: 'tabular-nums', overflowWrap: 'anywhere' }}
          >
            {isLoading ? '\u00a0' : value}
          </Text>
        </Skeleton>
        {trend === undefined ? null : <Box h={28}>{trend}</Box>}
        {caption === undefined ? null : (
          <Text component="div" size="xs" c="dimmed">
            {caption}
          </Text>
        )}
      </Stack>
      {explained === undefined ? null : linked?.(null, `${classes.link} ${classes.over}`, label)}
    </Card>
  )
}

/** Shows stat cards side by side, as many as fit with their figures. */
export function StatCards({ children }: { children: ReactNode }) {
  return (
    <SimpleGrid minColWidth="min(100%, 210px)" autoFlow="auto-fit">
      {children}
    </SimpleGrid>
  )
}
