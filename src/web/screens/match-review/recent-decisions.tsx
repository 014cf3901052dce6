import { Group, Stack, Text, Title } from '@mantine/core'
import { useRef, useState } from 'react'
import { listMatchDecisions } from '#contract/matches.ts'
import type { DecisionAction } from '#domain/company.ts'
import { useEndpoint } from '../../client.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { Ago } from '../../ui/time/instant.tsx'
import type { Decisions } from './use-decisions.ts'

const actionTexts: Record<DecisionAction, string> = {
  attached: 'attached',
  created: 'created a company for',
  ignored: 'ignored',
  unlinked: 'unlinked',
  restored: 'restored',
}

/** Lists what was decided in the last 24 hours, each with its undo. Nothing is shown if there is nothing. */
export function RecentDecisions({ decisions }: { decisions: Decisions }) {
  const recent = useEndpoint(listMatchDecisions, {}, { staleTime: 0 })
  const listed = recent.data?.decisions ?? []
  const section = useRef<HTMLDivElement>(null)
  const title = useRef<HTMLHeadingElement>(null)
  // The title keeps the focus when the last button is gone.
  const [isKept, keep] = useState(false)
  const undo = async (decisionId: string) => {
    keep(true)
    await decisions.undo(decisionId)
    const { activeElement } = document
    if (activeElement === document.body || section.current?.contains(activeElement)) title.current?.focus()
  }
  if (listed.length === 0 && !isKept) return null
  return (
    <Stack ref={section} gap="xs" component="section" aria-label="Recent decisions" mt="md">
      <Title ref={title} tabIndex={-1} order={2} size="h5">
        Recent decisions
      </Title>
      {listed.length === 0 ? <Text size="sm">Nothing is left to undo.</Text> : null}
      {listed.map((one) => {
        const more = one.customerCount - one.customerNames.length
        const names = `${one.customerNames.join(', ')}${more > 0 ? ` and ${more.toLocaleString('en-US')} more` : ''}`
        return (
          <Group key={one.decisionId} justify="space-between" wrap="nowrap">
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {one.decidedBy ?? 'Somebody'} {actionTexts[one.action]} {names}
              {one.companyName === null ? '' : ` (${one.companyName})`}
              <Text span size="xs" c="dimmed">
                {' '}
                <Ago at={one.decidedAt} />
              </Text>
            </Text>
            <StartButton
              size="compact-sm"
              variant="default"
              style={{ flexShrink: 0 }}
              isOff={decisions.isOff}
              aria-label={`Undo: ${actionTexts[one.action]} ${names}`}
              onClick={() => void undo(one.decisionId)}
            >
              Undo
            </StartButton>
          </Group>
        )
      })}
    </Stack>
  )
}
