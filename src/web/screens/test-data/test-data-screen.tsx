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
import { useWholeNumber } from '../../ui/fields/use-whole-number.ts'
import { problemText } from '../../ui/problems/problem-text.ts'

const defaultNumber = 16
const numberMax = 999_999_999

/** Fetches synthetic subscription data. It needs no account. */
export function TestDataScreen() {
  const { field, text, take } = useWholeNumber({ min: 0, max: numberMax, initial: defaultNumber })
  const [wanted, setWanted] = useState<string | null>(null)
  const data = useEndpoint(getTestSubscriptionData, wanted === null ? null : { params: { n: wanted } })
  const fetchData = (event: FormEvent) => {
    event.preventDefault()
    const number = take()
    if (number === null) return
    if (number === wanted) void data.refetch()
    else setWanted(number)
  }
  return (
    <Container component="main" size="md" w="100%" py="xl">
      <title>{`Test Subscription Data · ${productName}`}</title>
      <Stack>
        <Title order={1} size="h3">
          Test Subscription Data
        </Title>
        <Text c="dimmed">Sample rows. The same number always gives the same rows.</Text>
        <form noValidate onSubmit={fetchData}>
          <Group align="flex-start" wrap="nowrap">
            <NumberInput label="Number" {...field} />
            <StartButton type="submit" mt={25} style={{ flexShrink: 0 }} isOff={data.isFetching}>
              {data.isFetching ? 'Loading...' : 'Fetch Data'}
            </StartButton>
          </Group>
        </form>
        {data.error === null || text !== wanted ? null : (
          <Alert color="red" role="alert" title="Error">
            {failureText(data.error)}
          </Alert>
        )}
        {data.data === undefined || text !== wanted ? null : (
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
