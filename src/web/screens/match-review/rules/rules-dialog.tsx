import { Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { listMatchRules, removeMatchRule } from '#contract/matches.ts'
import { call, serverText, useEndpoint } from '../../../client.ts'
import { ManagersNote } from '../../../components/managers-note.tsx'
import { useRefreshRecords } from '../../../queries/records.ts'
import { useIsManager } from '../../../queries/session.ts'
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { useConfirmation } from '../../../ui/dialogs/use-confirmation.ts'
import { PageSpinner } from '../../../ui/page-spinner.tsx'
import { ReadFailure } from '../../../ui/problems/unread.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { DomainRule, type Rule } from './domain-rule.tsx'

/** Shows the decisions about whole domains, and lets the person take them back. */
export function RulesDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const removal = useRemoval()
  return (
    <>
      {/* Escape answers the question before it closes the rules. */}
      <Dialog
        opened={isOpen}
        onClose={onClose}
        title="Domain Rules"
        size="lg"
        closeOnEscape={!removal.dialog.isOpen}
      >
        {isOpen ? <Rules onRemove={removal.ask} /> : null}
      </Dialog>
      <ConfirmDialog {...removal.dialog} />
    </>
  )
}

const removalProblem = (error: Error) => ({
  title: 'Not removed',
  description: serverText(error, 'An error occurred while removing the rule.'),
})

/** Asks before a rule is removed: one that is made again is a new one, of the person who makes it. */
function useRemoval() {
  const toast = useToast()
  const refreshRecords = useRefreshRecords()
  const { ask, close, fail, dialog } = useConfirmation()
  const [asked, setAsked] = useState<Rule | null>(null)
  const remove = useMutation({
    mutationFn: (domain: string) => call(removeMatchRule, { body: { domain } }),
    onSuccess: ({ message }) => {
      close()
      toast({ title: 'Rule removed', description: message })
    },
    onError: (error) => {
      fail(removalProblem(error))
      toast({ ...removalProblem(error), isError: true })
    },
    onSettled: () => refreshRecords(),
  })
  return {
    ask: (rule: Rule) => {
      setAsked(rule)
      ask()
    },
    dialog: {
      ...dialog,
      title: `Remove the rule for ${asked?.domain ?? ''}`,
      text:
        asked === null
          ? ''
          : `${afterRemoval(asked)} This has no undo, but the rule can be made again in the review of a customer.`,
      confirmLabel: 'Remove',
      isBusy: remove.isPending,
      onConfirm: () => {
        if (asked !== null) remove.mutate(asked.domain)
      },
    },
  }
}

function afterRemoval({ domain, kind, companyName }: Rule): string {
  if (kind === 'never')
    return `Customers of ${domain} that wait are matched by the domain again when matching runs next.`
  return `New customers of ${domain} are no longer attached to ${companyName ?? 'its company'} by the rule. Those that it attached stay.`
}

function Rules({ onRemove }: { onRemove: (rule: Rule) => void }) {
  const isManager = useIsManager()
  const rules = useEndpoint(listMatchRules, {}, { staleTime: 0 })
  if (rules.isPending) return <PageSpinner />
  if (rules.data === undefined)
    return (
      <ReadFailure
        title="The rules could not be read"
        error={rules.error}
        onRetry={() => void rules.refetch()}
      />
    )
  if (rules.data.rules.length === 0) {
    return <Text c="dimmed">No rules yet. They are made in the review of a customer.</Text>
  }
  return (
    <Stack gap="xs">
      <Text size="sm">
        A rule decides for customers of a domain. What it attached stays when it is removed.
      </Text>
      {rules.data.rules.map((rule) => (
        <DomainRule
          key={rule.domain}
          rule={rule}
          isOff={rule.kind === 'never' && !isManager}
          onRemove={() => onRemove(rule)}
        />
      ))}
      {isManager || rules.data.rules.every(({ kind }) => kind !== 'never') ? null : (
        <ManagersNote what="change or remove the rule that a domain is never matched" />
      )}
    </Stack>
  )
}
