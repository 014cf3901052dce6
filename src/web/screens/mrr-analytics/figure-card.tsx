import { Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { belowHeader, placeOfPart } from '../../components/jump-links.tsx'
import { CsvButton } from '../../components/list-page/csv-button.tsx'
import { Outdated } from '../../ui/outdated.tsx'
import { ReadFailure } from '../../ui/problems/unread.tsx'

type FigureCardProps<T> = {
  title: string
  /** Says how the figures come about, and what else is to say about those of the answer. */
  formula: ReactNode
  note?: (answer: T) => ReactNode
  controls?: ReactNode
  /** Where the figures are saved as CSV. */
  csvHref: string
  answer: { data: T | undefined; isPlaceholderData: boolean; error: Error | null; refetch: () => unknown }
  /** Whether an answer has nothing to show. */
  isEmpty: (answer: T) => boolean
  /** The usual height of what the card shows, so that what stands below it does not move. */
  usualHeightPx?: number
  children: (answer: T) => ReactNode
}

/** One analysis with its name, its formula, and its loading, empty and error states. */
export function FigureCard<T>(props: FigureCardProps<T>) {
  const { title, formula, note, controls, csvHref, answer, isEmpty, usualHeightPx = 300, children } = props
  const { data, error } = answer
  return (
    <Card withBorder component="section" aria-label={title} id={placeOfPart(title)} className={belowHeader}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h5">
            {title}
          </Title>
          <Group gap="xs">
            {controls}
            <CsvButton href={csvHref} of={title} />
          </Group>
        </Group>
        <Text size="xs" c="dimmed">
          {formula}
          {data === undefined || note === undefined ? null : note(data)}
        </Text>
        {data === undefined ? (
          error === null ? (
            <Skeleton height={usualHeightPx} />
          ) : (
            <ReadFailure
              title={`${title} could not be loaded`}
              error={error}
              onRetry={() => void answer.refetch()}
            />
          )
        ) : (
          <Outdated isOld={answer.isPlaceholderData}>
            {isEmpty(data) ? (
              <Stack h={usualHeightPx} align="center" justify="center" gap={4}>
                <Text fw={600}>Nothing to show in these days</Text>
                <Text c="dimmed" size="sm" ta="center">
                  Other days may have some.
                </Text>
              </Stack>
            ) : (
              children(data)
            )}
          </Outdated>
        )}
      </Stack>
    </Card>
  )
}
