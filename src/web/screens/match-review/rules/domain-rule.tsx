import { Checkbox, Group, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { ResponseOf } from '#contract/endpoint.ts'
import { countDomain } from '#contract/lists/match-figures.ts'
import { type listMatchRules, saveMatchRule } from '#contract/matches.ts'
import { call, serverText, useEndpoint } from '../../../client.ts'
import { CompanyName } from '../../../components/company-name.tsx'
import { counted } from '../../../components/counted.ts'
import { SyncObstacles } from '../../../components/runs/sync-obstacles.tsx'
import { useRefreshRecords } from '../../../queries/records.ts'
import { useObstacles } from '../../../queries/session.ts'
import { StartButton } from '../../../ui/buttons/start-button.tsx'
import { ProblemAlert } from '../../../ui/problems/problem-alert.tsx'
import { Ago } from '../../../ui/time/instant.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { CompanySearch, useCompanySearch } from '../company-search.tsx'

/** A rule as the server lists it. */
export type Rule = ResponseOf<typeof listMatchRules>['rules'][number]

type DomainRuleProps = {
  rule: Rule
  /** Whether the person may not change it. */
  isOff: boolean
  onRemove: () => void
}

/** Shows a rule of Match Review, and lets the person choose another company for it or take it back. */
export function DomainRule({ rule, isOff, onRemove }: DomainRuleProps) {
  const [isChanging, setChanging] = useState(false)
  const change = useRef<HTMLButtonElement>(null)
  const finish = () => {
    setChanging(false)
    change.current?.focus()
  }
  return (
    <Stack gap="xs">
      <Group justify="space-between" wrap="nowrap">
        <Stack gap={0} miw={0}>
          <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
            {rule.domain}
          </Text>
          <Text size="sm" component="div">
            {rule.kind === 'never' ? (
              'Never matched by the domain'
            ) : (
              <>
                Always <CompanyName name={rule.companyName} link={rule.hubspotCompanyLink} />
              </>
            )}
          </Text>
          <Text size="xs" c="dimmed">
            Made <Ago at={rule.createdAt} />
            {rule.createdBy === null ? '' : `, by ${rule.createdBy}`}
          </Text>
        </Stack>
        <Group gap="xs" wrap="nowrap">
          <StartButton
            ref={change}
            size="xs"
            variant="default"
            aria-label={`Change the rule for ${rule.domain}`}
            aria-expanded={isChanging}
            isOff={isOff}
            onClick={() => setChanging(!isChanging)}
          >
            Change
          </StartButton>
          <StartButton
            size="xs"
            variant="default"
            aria-label={`Remove the rule for ${rule.domain}`}
            isOff={isOff}
            onClick={onRemove}
          >
            Remove
          </StartButton>
        </Group>
      </Group>
      {isChanging && !isOff ? <OtherCompany rule={rule} onDone={finish} /> : null}
    </Stack>
  )
}

const problemOf = (error: Error) => ({
  title: 'Not changed',
  description: serverText(error, 'An error occurred while changing the rule.'),
})

function OtherCompany({ rule, onDone }: { rule: Rule; onDone: () => void }) {
  const { domain, companyName } = rule
  const toast = useToast()
  const refreshRecords = useRefreshRecords()
  const search = useCompanySearch(...useState(''))
  const obstacles = useObstacles()
  const [movesAttached, setMoves] = useState(false)
  const now = useEndpoint(countDomain, { query: { domain } }, { staleTime: 0 })
  const attached = now.data?.attachedCustomers ?? 0
  const save = useMutation({
    mutationFn: (companyRecordId: string) =>
      call(saveMatchRule, { body: { domain, companyRecordId, movesAttached } }),
    onSuccess: ({ message }) => {
      toast({ title: 'Rule changed', description: message })
      onDone()
    },
    onError: (error) => toast({ ...problemOf(error), isError: true }),
    onSettled: () => refreshRecords(),
  })
  return (
    <>
      {attached === 0 ? null : (
        <Checkbox
          label={`Move ${counted(attached, 'customer')} of this domain from ${companyName ?? 'the company'}, too`}
          description={attached === 1 ? 'Otherwise it stays there.' : 'Otherwise they stay there.'}
          checked={movesAttached}
          onChange={(event) => setMoves(event.currentTarget.checked)}
        />
      )}
      <CompanySearch
        label={`Company for ${domain}`}
        isFocused
        search={search}
        hindrance={
          <SyncObstacles
            obstacles={obstacles}
            withoutHubspot="Companies are searched in HubSpot, so none can be chosen"
          />
        }
        foundKeys={[]}
        isBusy={save.isPending}
        onChoose={(companyRecordId) => save.mutate(companyRecordId)}
        onLeave={onDone}
      />
      <ProblemAlert problem={save.error && problemOf(save.error)} />
    </>
  )
}
