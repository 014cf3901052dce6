import { Checkbox, Group, Paper, Stack, Text } from '@mantine/core'
import { useRef, useState } from 'react'
import type { Match } from '#contract/matches.ts'
import { counted } from '../../components/counted.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { accept, create, ignore, type PlannedDecision } from './decisions.ts'
import { acceptEffect, createEffect, ignoreEffect, namelessEffect, selectionOf } from './effects.ts'
import type { Decisions } from './use-decisions.ts'

type BulkBarProps = {
  /** The rows of the page. */
  rows: Match[] | undefined
  selectedIds: ReadonlySet<string>
  onSelect: (ids: ReadonlySet<string>) => void
  decisions: Decisions
  /** When HubSpot follows, in words. */
  when: string
  /** Says how the rows are sorted. */
  order: string
}

/** Selects rows, says what a decision about them does in HubSpot, and decides about all at once. */
export function BulkBar({ rows: listed, selectedIds, onSelect, decisions, when, order }: BulkBarProps) {
  const { isBusy, isOff, barred } = decisions
  const rows = listed ?? []
  const bar = useRef<HTMLDivElement>(null)
  const selectAll = useRef<HTMLInputElement>(null)
  // The bar stays while the list is empty for a moment, so that the focus stays too.
  const [isKept, keep] = useState(false)
  const decide = async (decision: PlannedDecision) => {
    keep(true)
    await decisions.decide(decision)
    const { activeElement } = document
    if (activeElement === document.body || bar.current?.contains(activeElement)) selectAll.current?.focus()
  }
  const onDecide = (decision: PlannedDecision) => void decide(decision)
  const selected = selectionOf(rows.filter(({ customerId }) => selectedIds.has(customerId)))
  const { all, acceptable, creatable, companiesToCreate } = selected
  const [isAsking, setAsking] = useState(false)
  if (listed?.length === 0 && !isKept) return null
  const companies = counted(companiesToCreate, 'company', 'companies')
  const effects = [
    ...(acceptable.length === 0 ? [] : [acceptEffect(acceptable, when)]),
    ...(creatable.length === 0 ? [] : [createEffect(creatable, companiesToCreate, when)]),
    ...namelessEffect(selected),
    ignoreEffect,
  ]
  return (
    <Paper
      ref={bar}
      withBorder
      p="xs"
      component="section"
      aria-label="Decide about many"
      className="not-printed"
    >
      <Stack gap={6}>
        <Group gap="xs">
          <Checkbox
            ref={selectAll}
            label={all.length === 0 ? 'Select all on this page' : `${all.length} selected`}
            disabled={listed === undefined}
            checked={all.length > 0 && all.length === rows.length}
            indeterminate={all.length > 0 && all.length < rows.length}
            onChange={() => onSelect(new Set(all.length > 0 ? [] : rows.map(({ customerId }) => customerId)))}
          />
          {all.length === 0 ? (
            <Text size="xs" c="dimmed" ml="auto">
              {order}
            </Text>
          ) : (
            <>
              <StartButton
                size="compact-sm"
                isOff={isOff || acceptable.length === 0}
                onClick={() => onDecide(accept(acceptable))}
              >
                Accept {acceptable.length}
              </StartButton>
              <StartButton
                size="compact-sm"
                variant="default"
                isOff={isOff}
                onClick={() => onDecide(ignore(all))}
              >
                Ignore {all.length}
              </StartButton>
              <StartButton
                size="compact-sm"
                variant="default"
                isOff={isOff || creatable.length === 0}
                onClick={() => setAsking(true)}
              >
                Create {companies}
              </StartButton>
            </>
          )}
        </Group>
        {all.length === 0 ? null : (
          <Text size="xs" role="status">
            {barred ?? effects.join(' ')}
          </Text>
        )}
      </Stack>
      <ConfirmDialog
        isOpen={isAsking}
        title={`Create ${companies}`}
        text={`${createEffect(creatable, companiesToCreate, when)} Undo takes the customers off them again, but the companies stay in HubSpot.`}
        confirmLabel={`Create ${companies}`}
        isBusy={isBusy}
        onConfirm={() => {
          setAsking(false)
          onDecide(create(creatable))
        }}
        onClose={() => setAsking(false)}
      />
    </Paper>
  )
}
