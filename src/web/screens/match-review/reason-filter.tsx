import { Box, Button, Group } from '@mantine/core'
import { reasonLabels } from '#contract/lists/list-words.ts'
import { listMatchReasons } from '#contract/matches.ts'
import type { MatchEvidence } from '#domain/company.ts'
import { useEndpoint } from '../../client.ts'
import { freshMs } from '../../queries/freshness.ts'

type ReasonFilterProps = {
  reason: MatchEvidence | undefined
  /** Whether customers wait, so that there will be reasons. */
  isExpected: boolean
  onChange: (reason: string) => void
}

/** Groups the customers that wait by their reason; one click shows one group. Its place is kept while it loads. */
export function ReasonFilter({ reason, isExpected, onChange }: ReasonFilterProps) {
  const { data, isPending } = useEndpoint(listMatchReasons, {}, { staleTime: freshMs.records })
  if (isPending && isExpected) return <Box h={{ base: 90, sm: 26 }} />
  if (data === undefined || (data.reasons.length < 2 && reason === undefined)) return null
  return (
    <Group gap={6} component="section" aria-label="Reasons">
      <Chip label="All" isOn={reason === undefined} onClick={() => onChange('')} />
      {data.reasons.map((one) => (
        <Chip
          key={one.reason}
          label={`${reasonLabels[one.reason]} ${one.count.toLocaleString('en-US')}${data.isCapped ? '+' : ''}`}
          isOn={one.reason === reason}
          onClick={() => onChange(one.reason)}
        />
      ))}
    </Group>
  )
}

function Chip({ label, isOn, onClick }: { label: string; isOn: boolean; onClick: () => void }) {
  return (
    <Button
      size="compact-sm"
      radius="xl"
      variant={isOn ? 'filled' : 'default'}
      aria-pressed={isOn}
      onClick={onClick}
    >
      {label}
    </Button>
  )
}
