import { Alert, Group, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useObstacles, useSyncCondition } from '../../queries/session.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { ProblemAlert } from '../../ui/problems/problem-alert.tsx'
import { StatCard } from '../../ui/stat-card.tsx'
import { JsonPanel } from './json-panel.tsx'
import { type CheckResults, useAssociations } from './use-associations.ts'

const kinds = [
  ['transactionsToSubscriptions', 'Transaction to subscription'],
  ['subscriptionsToCompanies', 'Subscription to company'],
  ['subscriptionsToContacts', 'Subscription to contact'],
  ['transactionsToCompanies', 'Transaction to company'],
  ['transactionsToContacts', 'Transaction to contact'],
] as const

/** Compares HubSpot with the expected associations, and repairs what is missing. */
export function CheckTab() {
  const { results, problem, isChecking, isFixing, check, fix } = useAssociations()
  // The strip above says so, also of what was just tried.
  const isBarred = !useObstacles().areRecordsReadable
  const isOff = isChecking || isFixing || isBarred
  const missing = results?.associationCounts.missingByKind.transactionsToSubscriptions ?? 0
  const total = results?.associationCounts.totalMissing ?? 0
  return (
    <Stack>
      <Group>
        <StartButton isBusy={isChecking} isOff={isOff} onClick={check}>
          Check Missing Associations
        </StartButton>
        <StartButton
          variant="default"
          isBusy={isFixing}
          isOff={isOff || missing === 0}
          h="auto"
          mih={36}
          py={6}
          styles={{ label: { whiteSpace: 'normal', lineHeight: 1.3 } }}
          onClick={() => fix('transaction-to-subscription')}
        >
          Fix Transaction-to-Subscription Associations
        </StartButton>
        <StartButton variant="default" isOff={isOff || total === 0} onClick={() => fix('all')}>
          Fix All Associations
        </StartButton>
      </Group>
      <ProblemAlert problem={isBarred ? null : problem} />
      {results === null && isBarred ? null : results === null ? (
        <Text c="dimmed" role="status">
          {isChecking ? 'Reading all associations from HubSpot...' : 'Nothing has been checked yet.'}
        </Text>
      ) : (
        <Results results={results} />
      )}
    </Stack>
  )
}

function Results({ results }: { results: CheckResults }) {
  const { totalChecked, totalMissing, missingByKind } = results.associationCounts
  const items = results.missingAssociations.transactionsToSubscriptions
  const condition = useSyncCondition()
  const count = (value: number) => value.toLocaleString('en-US')
  return (
    <Stack>
      {totalMissing > 0 || totalChecked === 0 ? null : (
        <Alert color="green" icon={<IconCheck size={18} aria-hidden />} role="status">
          Everything is linked: each of the {count(totalChecked)} associations that should be in HubSpot is
          there.
        </Alert>
      )}
      {totalMissing === 0 ? null : (
        <Text size="sm">
          What was matched since the last sync is among the missing ones, and follows with the next sync
          {condition}. <em>Fix All Associations</em> makes all of them now.
        </Text>
      )}
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
        <StatCard label="Subscriptions" value={count(results.subscriptionCount)} />
        <StatCard label="Transactions" value={count(results.transactionCount)} />
        <StatCard label="Associations Checked" value={count(totalChecked)} />
        <StatCard label="Missing Associations" value={count(totalMissing)} />
      </SimpleGrid>
      <section>
        <Title order={2} size="h5" mb="xs">
          Missing by Kind
        </Title>
        <Table aria-label="Missing by Kind" maw={480} withTableBorder>
          <Table.Tbody>
            {kinds.map(([kind, label]) => (
              <Table.Tr key={kind}>
                <Table.Th scope="row" fw={500}>
                  {label}
                </Table.Th>
                <Table.Td ta="right">{count(missingByKind[kind])}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
      {items.length === 0 ? null : (
        <>
          <JsonPanel title="Missing Transaction-to-Subscription Associations" value={items} />
          {items.length < missingByKind.transactionsToSubscriptions ? (
            <Text size="sm" c="dimmed">
              These are the first {items.length}.
            </Text>
          ) : null}
        </>
      )}
    </Stack>
  )
}
