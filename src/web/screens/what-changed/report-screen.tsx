import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link, useParams } from 'react-router'
import { exportRecount, getRecount, type Recount } from '#contract/recounts.ts'
import { ApiError, buildUrl, useEndpoint } from '../../client.ts'
import { Money } from '../../components/figures/money.tsx'
import { useNamedPage } from '../../components/frame/page-name.tsx'
import { CsvButton } from '../../components/list-page/csv-button.tsx'
import { paths } from '../../paths.ts'
import { freshMs } from '../../queries/freshness.ts'
import { useSyncCondition } from '../../queries/session.ts'
import { FactCard } from '../../ui/fact-card.tsx'
import { MessagePage } from '../../ui/message-page.tsx'
import { PageSpinner } from '../../ui/page-spinner.tsx'
import { problemText } from '../../ui/problems/problem-text.ts'
import { TryAgain } from '../../ui/problems/try-again.tsx'
import { Ago, Instant } from '../../ui/time/instant.tsx'
import { MarkAsRead } from './mark-as-read.tsx'
import { ReportLists } from './report-lists.tsx'
import { versionsText } from './versions-text.ts'

/** Shows what one recount of the whole history changed. */
export function ReportScreen() {
  const { id = '' } = useParams()
  const report = useEndpoint(getRecount, { params: { recountId: id } }, { staleTime: freshMs.records })
  if (report.data !== undefined) return <Report report={report.data} />
  if (report.isPending) return <PageSpinner />
  const { error } = report
  if (error instanceof ApiError && (error.status === 404 || error.status === 400)) {
    return (
      <MessagePage title="Report Not Found" text="The requested report could not be found.">
        <BackButton />
      </MessagePage>
    )
  }
  return (
    <MessagePage title="The report could not be loaded" text={problemText(error)}>
      <Group>
        <BackButton />
        <TryAgain size="sm" variant="filled" onRetry={() => void report.refetch()} />
      </Group>
    </MessagePage>
  )
}

function BackButton() {
  return (
    <Button
      component={Link}
      to={paths.whatChanged}
      variant="default"
      leftSection={<IconArrowLeft size={16} aria-hidden />}
    >
      All reports
    </Button>
  )
}

function Report({ report }: { report: Recount }) {
  const { recountId, completedAt, differences } = report
  const title = versionsText(report)
  useNamedPage(title)
  return (
    <Stack>
      <Group justify="space-between">
        <BackButton />
        {completedAt === null ? null : (
          <Group gap="sm">
            <CsvButton href={buildUrl(exportRecount.path, { recountId })} />
            <MarkAsRead report={report} />
          </Group>
        )}
      </Group>
      <div>
        <Title order={2} size="h3">
          {title}
        </Title>
        {differences.map((difference) => (
          <Text key={difference}>{difference}</Text>
        ))}
      </div>
      <Facts report={report} />
      {completedAt === null ? (
        <Text role="status">Your history is being recounted. What changed will be listed here.</Text>
      ) : (
        <ReportLists report={report} />
      )}
    </Stack>
  )
}

function Facts({ report }: { report: Recount }) {
  const condition = useSyncCondition()
  const { startedAt, completedAt, currentMrr, readAt, readBy } = report
  const mrr = currentMrr.map(({ currency, before, after }): [string, ReactNode] => [
    `Current MRR, ${currency.toUpperCase()}`,
    <span key={currency}>
      <Money amountCents={before} currency={currency} /> → <Money amountCents={after} currency={currency} />
    </span>,
  ])
  return (
    <FactCard
      title="Summary"
      facts={[
        ['Counted', <Instant key="counted" at={startedAt} />],
        ...(completedAt === null ? [] : mrr),
        [
          'Read',
          readAt === null ? (
            'Not yet'
          ) : (
            <span key="read">
              <Ago at={readAt} />, by {readBy}
            </span>
          ),
        ],
      ]}
    >
      <Text size="sm" c="dimmed">
        Explanations of figures that stayed the same may be worded differently now; only changed figures are
        listed. HubSpot follows with the next sync{condition}.
      </Text>
    </FactCard>
  )
}
