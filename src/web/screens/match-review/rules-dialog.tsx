import { Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { listMatchRules, removeMatchRule } from '#contract/matches.ts'
import { call, serverText, useEndpoint } from '../../client.ts'
import { ManagersNote } from '../../components/managers-note.tsx'
import { useRefreshRecords } from '../../queries/records.ts'
import { useIsManager } from '../../queries/session.ts'
import { PageSpinner } from '../../ui/page-spinner.tsx'
import { ProblemAlert } from '../../ui/problems/problem-alert.tsx'
import { ReadFailure } from '../../ui/problems/unread.tsx'
import { useToast } from '../../ui/toast.tsx'
import { DomainRule } from './domain-rule.tsx'

/** Shows the decisions about whole domains, and lets the person take them back. */
export function RulesDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Domain Rules" size="lg">
      {isOpen ? <Rules /> : null}
    </Modal>
  )
}

const removalProblem = (error: Error) => ({
  title: 'Not removed',
  description: serverText(error, 'An error occurred while removing the rule.'),
})

function Rules() {
  const toast = useToast()
  const refreshRecords = useRefreshRecords()
  const isManager = useIsManager()
  const rules = useEndpoint(listMatchRules, {}, { staleTime: 0 })
  const remove = useMutation({
    mutationFn: (domain: string) => call(removeMatchRule, { body: { domain } }),
    onSuccess: ({ message }) => toast({ title: 'Rule removed', description: message }),
    onError: (error) => toast({ ...removalProblem(error), isError: true }),
    onSettled: () => refreshRecords(),
  })
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
          isOff={remove.isPending || (rule.kind === 'never' && !isManager)}
          onRemove={() => remove.mutate(rule.domain)}
        />
      ))}
      <ProblemAlert problem={remove.error && removalProblem(remove.error)} />
      {isManager || rules.data.rules.every(({ kind }) => kind !== 'never') ? null : (
        <ManagersNote what="change or remove the rule that a domain is never matched" />
      )}
    </Stack>
  )
}
