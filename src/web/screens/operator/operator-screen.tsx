import { Alert, Group, NumberInput, Stack, Tabs, Text, Title } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { getOperatorSubscriptionData } from '#contract/diagnostics.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { serverText, useEndpoint } from '../../client.ts'
import type { Column } from '../../components/list-page/column.ts'
import { RecordsTable } from '../../components/list-page/records-table.tsx'
import { useCurrentUser } from '../../queries/session.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { useWholeNumber } from '../../ui/fields/use-whole-number.ts'
import { MessagePage } from '../../ui/message-page.tsx'
import { operatorEventColumns, operatorSubscriptionColumns } from './operator-columns.tsx'

const userIdMax = 999_999_999

/** Shows the people who run the product the raw rows of one user's organization. The server audits each fetch. */
export function OperatorScreen() {
  const { data: user } = useCurrentUser()
  const { field, text, take } = useWholeNumber({ min: 1, max: userIdMax })
  const [userId, setUserId] = useState<string | null>(null)
  const data = useEndpoint(getOperatorSubscriptionData, userId === null ? null : { params: { n: userId } })
  if (user !== undefined && !user.isOperator) {
    return <MessagePage title="Subscription Data Viewer" text="This is for operators only." />
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wanted = take()
    if (wanted === null) return
    if (wanted === userId) void data.refetch()
    else setUserId(wanted)
  }
  return (
    <Stack>
      <Text c="dimmed">
        The rows of a user&apos;s organization as they are stored. The organization sees that they were read.
      </Text>
      <form noValidate onSubmit={submit}>
        <Group align="flex-start" wrap="nowrap">
          <NumberInput label="User ID" {...field} />
          <StartButton type="submit" mt={25} style={{ flexShrink: 0 }} isOff={text === '' || data.isFetching}>
            {data.isFetching ? 'Loading...' : 'Fetch Data'}
          </StartButton>
        </Group>
      </form>
      {data.error === null || text !== userId ? null : (
        <Alert color="red" role="alert" title="Error">
          {serverText(data.error, 'The data could not be fetched. Please try again.')}
        </Alert>
      )}
      {data.data === undefined || text !== userId ? null : <Rows userId={userId} data={data.data} />}
    </Stack>
  )
}

type RowsProps = { userId: string; data: ResponseOf<typeof getOperatorSubscriptionData> }

function Rows({ userId, data }: RowsProps) {
  return (
    <Tabs defaultValue="subscriptions">
      <Text mb="md" style={{ overflowWrap: 'anywhere' }}>
        <Text span fw={500}>
          {data.organizationName}
        </Text>
        , the organization of user {userId}: {data.userName}, {data.userEmail}
      </Text>
      <Tabs.List mb="md">
        <Tabs.Tab value="subscriptions">Subscriptions ({data.subscriptionsCount})</Tabs.Tab>
        <Tabs.Tab value="transactions">Transactions ({data.transactionsCount})</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="subscriptions">
        <Section
          title="Subscriptions"
          count={data.subscriptionsCount}
          columns={operatorSubscriptionColumns}
          records={data.subscriptions}
          emptyText="No subscriptions found"
        />
      </Tabs.Panel>
      <Tabs.Panel value="transactions">
        <Section
          title="Events"
          count={data.transactionsCount}
          columns={operatorEventColumns}
          records={data.transactions}
          emptyText="No events found."
        />
      </Tabs.Panel>
    </Tabs>
  )
}

type SectionProps<T> = {
  title: string
  count: number
  columns: Column<T>[]
  records: T[]
  emptyText: string
}

function Section<T extends { id: string }>({ title, count, columns, records, emptyText }: SectionProps<T>) {
  return (
    <Stack gap="sm">
      <Title order={2} size="h5">
        {title}
      </Title>
      <RecordsTable
        label={title}
        columns={columns}
        records={records}
        idOf={(row) => row.id}
        isFetching={false}
        error={null}
        onRetry={() => {}}
        emptyText={emptyText}
        errorText=""
        minWidth={960}
      />
      {records.length < count ? (
        <Text size="sm" c="dimmed">
          These are the newest {records.length.toLocaleString('en-US')}.
        </Text>
      ) : null}
    </Stack>
  )
}
