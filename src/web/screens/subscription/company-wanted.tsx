import { Skeleton, Stack, Text } from '@mantine/core'
import { getCustomer } from '#contract/customers/customers.ts'
import { matchStateLabels } from '#contract/lists/list-words.ts'
import { useEndpoint } from '../../client.ts'
import { ChooseCompany } from '../../components/customers/unmatched.tsx'
import { freshMs } from '../../queries/freshness.ts'
import { useSyncCondition } from '../../queries/session.ts'
import { TryAgain } from '../../ui/problems/try-again.tsx'

/** Says that the customer waits for its company or is ignored, as its own page does, with the way to choose one. */
export function CompanyWanted({ customerId }: { customerId: string }) {
  const customer = useEndpoint(getCustomer, { params: { customerId } }, { staleTime: freshMs.records })
  const condition = useSyncCondition()
  if (customer.isPending) return <Skeleton height={44} />
  if (customer.data === undefined) {
    return (
      <Stack gap={4} align="flex-start">
        <Text size="sm">It could not be loaded.</Text>
        <TryAgain size="compact-sm" onRetry={() => void customer.refetch()} />
      </Stack>
    )
  }
  const { match } = customer.data
  if (match === null) return <Text size="sm">Not looked up yet. The next sync does it{condition}.</Text>
  return (
    <Stack gap={0} align="flex-start">
      <Text size="sm">{matchStateLabels[match.state]}</Text>
      {match.state === 'linked' ? null : <ChooseCompany customerId={customerId} state={match.state} />}
    </Stack>
  )
}
