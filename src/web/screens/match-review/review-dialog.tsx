import { Button, Group, Modal, Stack, Switch, Title } from '@mantine/core'
import { useState } from 'react'
import type { Match } from '#contract/matches.ts'
import { realName } from '#domain/company-name.ts'
import { CompanyName } from '../../components/company-name.tsx'
import { reasonTexts, whyText } from '../../components/customers/match-words.ts'
import { formatMoney } from '../../components/figures/format-money.ts'
import { ManagersNote } from '../../components/managers-note.tsx'
import { useIsManager } from '../../queries/session.ts'
import { FactCard } from '../../ui/fact-card.tsx'
import { CompanyChoice } from './company-choice.tsx'
import { CompanySearch } from './company-search.tsx'
import { nameOf, otherAmounts } from './match-columns.tsx'
import { NewCompanyForm } from './new-company-form.tsx'
import { type Decision, useDecision } from './use-decision.ts'

/** Shows the facts about one customer and the possible decisions. `match` null keeps it closed. */
export function ReviewDialog({ match, onClose }: { match: Match | null; onClose: () => void }) {
  return (
    <Modal opened={match !== null} onClose={onClose} title="Review Match" size="lg">
      {match === null ? null : <Review key={match.customerId} match={match} onClose={onClose} />}
    </Modal>
  )
}

function Review({ match, onClose }: { match: Match; onClose: () => void }) {
  const { decide, isBusy } = useDecision(match.customerId, onClose)
  const [isForDomain, setForDomain] = useState(false)
  const link = (companyRecordId: string) =>
    decide({ kind: 'link', companyRecordId, alwaysForDomain: isForDomain })
  return (
    <Stack>
      <FactCard title={nameOf(match)} facts={factsOf(match)} />
      {match.candidates.length === 0 || match.state === 'linked' ? null : (
        <Stack gap="xs" component="section" aria-label="Candidates">
          <Title order={3} size="h5">
            Candidates
          </Title>
          {match.candidates.map((candidate) => (
            <CompanyChoice
              key={candidate.companyRecordId}
              name={candidate.companyName}
              link={candidate.hubspotCompanyLink}
              note={sentence(candidate.reasons.map((reason) => reasonTexts[reason]).join(', and '))}
              label="Accept"
              isBusy={isBusy}
              onChoose={() => link(candidate.companyRecordId)}
            />
          ))}
        </Stack>
      )}
      <CompanySearch
        label={match.candidates.length === 0 ? 'Choose a company' : 'Choose another company'}
        isBusy={isBusy}
        onChoose={link}
      />
      {match.domain === null ? null : (
        <Switch
          label={`Always attach ${match.domain} to the company that I choose`}
          description="Customers of this domain that wait now are attached too. Rules shows and removes it."
          checked={isForDomain}
          onChange={(event) => setForDomain(event.currentTarget.checked)}
        />
      )}
      <NewCompanyForm
        name={realName(match.customerName) ?? match.domain ?? ''}
        isBusy={isBusy}
        onCreate={(companyName) => decide({ kind: 'create', companyName })}
      />
      <OtherDecisions match={match} isBusy={isBusy} onDecide={decide} />
    </Stack>
  )
}

type OtherDecisionsProps = { match: Match; isBusy: boolean; onDecide: (decision: Decision) => void }

function OtherDecisions({ match: { state, domain }, isBusy, onDecide }: OtherDecisionsProps) {
  const isManager = useIsManager()
  return (
    <Group gap="xs">
      {state === 'linked' ? (
        <Button variant="default" disabled={isBusy} onClick={() => onDecide({ kind: 'unlink' })}>
          Unlink
        </Button>
      ) : null}
      {state === 'pending' ? (
        <Button variant="default" disabled={isBusy} onClick={() => onDecide({ kind: 'ignore' })}>
          Ignore Customer
        </Button>
      ) : null}
      {state === 'ignored' ? (
        <Button variant="default" disabled={isBusy} onClick={() => onDecide({ kind: 'restore' })}>
          Review Again
        </Button>
      ) : null}
      {domain === null ? null : !isManager ? (
        <ManagersNote what={`say that ${domain} is never matched`} />
      ) : (
        <Button variant="default" disabled={isBusy} onClick={() => onDecide({ kind: 'never', domain })}>
          Never match {domain}
        </Button>
      )}
    </Group>
  )
}

type Facts = Parameters<typeof FactCard>[0]['facts']

function factsOf(match: Match): Facts {
  const others = otherAmounts(match)
  const company = <CompanyName name={match.companyName} link={match.hubspotCompanyLink} />
  const ofCompany: Facts = match.state === 'linked' ? [['Company', company]] : []
  const ofContact: Facts = match.contactProblem === null ? [] : [['Contact', match.contactProblem]]
  return [
    ['Email', match.customerEmail ?? 'No email'],
    [
      'MRR',
      `${formatMoney(match.currentMrr, match.reportingCurrency)}${others === '' ? '' : ` and ${others}`}`,
    ],
    ...ofCompany,
    ['Why', whyText(match)],
    ...ofContact,
  ]
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text === '' ? '' : '.'}`
}
