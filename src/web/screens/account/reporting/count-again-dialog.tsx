import { Button, Group, Stack, Text } from '@mantine/core'
import type { ResponseOf } from '#contract/endpoint.ts'
import type { getReportingSettings } from '#contract/settings.ts'
import { currencyName } from '../../../components/figures/format-money.ts'
import { useSyncCondition } from '../../../queries/session.ts'
import { StartButton } from '../../../ui/buttons/start-button.tsx'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { type ActionProblem, ProblemAlert } from '../../../ui/problems/problem-alert.tsx'

/** How totals come about: their currency, how amounts count, and whose rates. */
export type ReportingChoice = Pick<
  ResponseOf<typeof getReportingSettings>,
  'reportingCurrency' | 'method' | 'source'
>

/** One part of the choice that somebody wants to be another. */
export type OtherChoice = Partial<ReportingChoice>

type CountAgainProps = {
  /** Null while nothing is asked. */
  other: OtherChoice | null
  hasHubspot: boolean
  isBusy: boolean
  /** Says why it was not done; null while nothing failed. */
  problem: ActionProblem | null
  onConfirm: () => void
  onClose: () => void
}

/** Says what another choice means before all figures of the organization follow it. */
export function CountAgainDialog(props: CountAgainProps) {
  const condition = useSyncCondition()
  const { other, hasHubspot, isBusy, problem, onConfirm, onClose } = props
  return (
    <Dialog opened={other !== null} onClose={onClose} title="Count all amounts again" centered>
      <Stack>
        {other === null ? null : <Text>{meaningOf(other)}</Text>}
        <Text>
          All totals, charts and sorting by MRR are counted again, for everybody in the organization.
          {hasHubspot ? ` Records in HubSpot follow with the next sync${condition}.` : ''} You can change it
          back at any time.
        </Text>
        <ProblemAlert problem={problem} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <StartButton isBusy={isBusy} onClick={onConfirm}>
            Count again
          </StartButton>
        </Group>
      </Stack>
    </Dialog>
  )
}

const sources = {
  ecb: 'Rates then come from the European Central Bank.',
  csv: 'Rates then come from your own file.',
  crm: 'Rates then come from HubSpot.',
}

function meaningOf({ reportingCurrency, method, source }: OtherChoice): string {
  if (reportingCurrency !== undefined)
    return `Totals are then in ${reportingCurrency.toUpperCase()}, ${currencyName(reportingCurrency)}.`
  if (source !== undefined) return sources[source]
  return method === 'revalued'
    ? 'Amounts are then revalued: everything counts at the rate of the day.'
    : 'Amounts then count as booked: each increase at the rate of its day.'
}
