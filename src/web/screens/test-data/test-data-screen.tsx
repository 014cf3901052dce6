import {
  Alert,
  Card,
  Code,
  Container,
  Group,
  NumberInput,
  ScrollArea,
  Stack,
  Text,
  Title,
} from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { getTestSubscriptionData } from '#contract/diagnostics.ts'
import { ApiError, useEndpoint } from '../../client.ts'
import { productName } from '../../paths.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { problemText } from '../../ui/problems/problem-text.ts'

const defaultNumber = 16

/** Fetches synthetic subscription data. It needs no account. */
export function TestDataScreen() {
  const [typed, setTyped] = useState<number | string>(defaultNumber)
  const [wanted, setWanted] = useState<string | null>(null)
  const data = useEndpoint(getTestSubscriptionData, wanted === null ? null : { params: { n: wanted } })
  const fetchData = (event: FormEvent) => {
    event.preventDefault()
    if (String(typed) === wanted) void data.refetch()
    else setWanted(String(typed === '' ? defaultNumber : typed))
  }
  return (
    <Container component="main" size="md" py="xl">
      <title>{`Test Subscription Data · ${productName}`}</title>
      <Stack>
        <Title order={1} size="h3">
          Test Subscription Data
        </Title>
        <Text c="dimmed">Sample rows. The same number always gives the same rows.</Text>
        <form noValidate onSubmit={fetchData}>
          <Group align="flex-end">
            <NumberInput
              label="Number"
              min={0}
              max={999_999_999}
              allowDecimal={false}
              value={typed}
              onChange={setTyped}
            />
            <StartButton type="submit" isOff={data.isFetching}>
              {data.isFetching ? 'Loading...' : 'Fetch Data'}
            </StartButton>
          </Group>
        </form>
        {data.error === null ? null : (
          <Alert color="red" role="alert" title="Error">
            {failureText(data.error)}
          </Alert>
        )}
        {data.data === undefined ? null : (
          <Card withBorder>
            <Text size="sm" mb="xs">
              Subscriptions: {data.data.subscriptionsCount}, Events: {data.data.transactionsCount}
            </Text>
            <ScrollArea.Autosize mah="60vh">
              <Code block>{JSON.stringify(data.data, null, 2)}</Code>
            </ScrollArea.Autosize>
          </Card>
        )}
      </Stack>
    </Container>
  )
}

function failureText(error: Error): string {
  const text = error instanceof ApiError ? `${error.status} ${error.text || error.body}` : problemText(error)
  return `Failed to fetch data: ${text}`
}
