import { Group, Stack, Text, Title } from '@mantine/core'
import { type RefObject, useRef, useState } from 'react'
import type { Match } from '#contract/matches.ts'
import { CompanyName } from '../../components/company-name.tsx'
import { CustomerMrr } from '../../components/customers/customer-mrr.tsx'
import { customerTitle } from '../../components/customers/customer-title.ts'
import { Email } from '../../components/customers/email.tsx'
import { reasonsText, sentence, whyText } from '../../components/customers/match-words.ts'
import { type ReviewKey, reviewKeys } from '../../components/customers/review-keys.ts'
import { useDecidingKeys } from '../../components/frame/use-keys.ts'
import { useStill } from '../../components/frame/use-still.ts'
import { ManagersNote } from '../../components/managers-note.tsx'
import { SyncObstacles } from '../../components/runs/sync-obstacles.tsx'
import { useIsManager, useObstacles } from '../../queries/session.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { type CardFact, FactCard } from '../../ui/fact-card.tsx'
import { CompanyChoice } from './company-choice.tsx'
import { CompanySearch, foundKeysOf } from './company-search.tsx'
import {
  bestCandidate,
  createNamed,
  ignore,
  link,
  never,
  newCompanyName,
  type PlannedDecision,
  restore,
  unlink,
} from './decisions.ts'
import { DomainSwitch } from './domain-switch.tsx'
import { acceptEffect, hinderedTexts, ignoreEffect } from './effects.ts'
import { FailedRows } from './failed-rows.tsx'
import { KeyHints } from './key-hints.tsx'
import { NewCompanyForm } from './new-company-form.tsx'
import { ReviewSteps } from './review-steps.tsx'
import type { Decisions } from './use-decisions.ts'
import { type DraftInDialog, useDraft, useDraftFields } from './use-draft.ts'
import type { ReviewPlace } from './use-review-place.ts'

type ReviewDialogProps = {
  place: ReviewPlace
  totalCount: number
  decisions: Decisions
  /** When HubSpot follows, in words. */
  when: string
}

/** Shows the facts about one customer and the possible decisions, and leads from one customer to the next. */
export function ReviewDialog({ place, ...shown }: ReviewDialogProps) {
  const { match } = place
  const lastLetterAt = useRef(Number.NEGATIVE_INFINITY)
  return (
    <Dialog
      opened={match !== null}
      onClose={() => place.open(null)}
      title="Review Match"
      size="lg"
      // The row that opened it may be gone: the list chooses the one that gets the focus.
      returnFocus={false}
    >
      {match === null ? null : <Reviews {...{ match, place, lastLetterAt }} {...shown} />}
    </Dialog>
  )
}

type ReviewsProps = ReviewDialogProps & { match: Match; lastLetterAt: RefObject<number> }

function Reviews(props: ReviewsProps) {
  const { customerId } = props.match
  return <Review key={customerId} {...props} draftInDialog={useDraft(customerId)} />
}

type ReviewProps = ReviewsProps & { draftInDialog: DraftInDialog }

function Review(props: ReviewProps) {
  const { match, place, totalCount, decisions, when, lastLetterAt, draftInDialog } = props
  // Somebody else was faster: nothing is left to decide here.
  const isOff = decisions.isOff || place.position === null
  const { search, domainChoice, newName } = useDraftFields(match, draftInDialog)
  const within = useRef<HTMLDivElement>(null)
  const newCompany = useRef<HTMLFormElement>(null)
  const [hasFailed, setFailed] = useState(false)
  // Until the next customer is there, a second press would mean the one that is decided.
  const isDeciding = useRef(false)
  const decide = async (decision: PlannedDecision) => {
    if (isDeciding.current) return
    isDeciding.current = true
    const isDecided = await decisions.decide(decision, 'dialog')
    setFailed(!isDecided)
    if (isDecided) await place.moveOn(decision.movesOthers)
    isDeciding.current = false
  }
  const choose = (companyRecordId: string) => void decide(link(match, companyRecordId, domainChoice.isOn))
  const focusOn = (what: string) => within.current?.querySelector<HTMLElement>(what)?.focus()
  const isBarred = decisions.barred !== null
  // A refusal that is found while the dialog is open is told at the search, so that nothing above it moves.
  const [isBarredAtFirst] = useState(isBarred)
  const wasBarred = isBarred && isBarredAtFirst
  const hindrance = <SyncObstacles obstacles={useObstacles()} {...hinderedTexts} />
  // A company that the search found may be the customer's, so that a new one would be its double.
  const createsByKey = isCreatable(match) && search.hasFoundNone && !isBarred
  const best = match.state === 'linked' ? undefined : bestCandidate(match)
  const foundKeys = foundKeysOf(search)
  useDecidingKeys(within, { lastLetterAt, deciding: /^[aicu1-9]$/ }, (key) => {
    const found = search.companies[foundKeys.indexOf(key)]
    if (key === 'j' && place.next) place.next()
    else if (key === 'k' && place.previous) place.previous()
    else if (isBarred && /^[aic1-9]$/.test(key)) decisions.tellBarred()
    else if (key === 'a' && best && !isOff) choose(best.companyRecordId)
    else if (found && !isOff) choose(found.companyRecordId)
    else if (key === 'i' && match.state === 'pending' && !isOff) void decide(ignore([match]))
    else if (key === 'c' && createsByKey && !isOff) newCompany.current?.requestSubmit()
    else if (key === 'c') newCompany.current?.querySelector('input')?.focus()
    else if (key === '/') focusOn('[type="search"]')
    else if (key === 'u') void decisions.undoLast()
    else return false
    return true
  })
  return (
    <Stack ref={within}>
      <ReviewSteps place={place} totalCount={totalCount} decidedCount={decisions.decidedCount} />
      {wasBarred ? hindrance : null}
      <FactCard title={customerTitle(match)} facts={factsOf(match)} />
      <Candidates
        {...{ match, isOff }}
        effect={wasBarred ? null : acceptEffect([match], when, domainChoice.besides)}
        isVoid={isBarred}
        onChoose={choose}
      />
      <CompanySearch
        label={match.candidates.length === 0 ? 'Choose a company' : 'Choose another company'}
        search={search}
        hindrance={wasBarred ? null : hindrance}
        foundKeys={foundKeys}
        isBusy={isOff}
        onChoose={choose}
        onLeave={() => focusOn('[data-autofocus]')}
      />
      {match.domain === null ? null : (
        <DomainSwitch domain={match.domain} choice={domainChoice} isOff={isBarred} />
      )}
      {hasFailed ? <FailedInDialog decisions={decisions} /> : null}
      <NewCompanyForm
        ref={newCompany}
        {...newName}
        isBusy={isOff}
        isBarred={isBarred}
        isFirstChoice={createsByKey}
        onCreate={(companyName) => void decide(createNamed(match, companyName))}
        onLeave={() => focusOn('[data-autofocus]')}
      />
      {isBarred ? null : (
        <Text size="sm">
          Create makes the company in HubSpot at once. {match.state === 'pending' ? ignoreEffect : null}
        </Text>
      )}
      <OtherDecisions match={match} isBusy={isOff} onDecide={(decision) => void decide(decision)} />
      <KeyHints
        keys={isBarred ? [reviewKeys.next, reviewKeys.previous] : keysOf(match, foundKeys, createsByKey)}
      />
    </Stack>
  )
}

type CandidatesProps = {
  match: Match
  /** What accepting one does. */
  effect: string | null
  /** Whether that is no longer true. Its line then stays empty, so that nothing moves. */
  isVoid: boolean
  isOff: boolean
  onChoose: (companyRecordId: string) => void
}

function Candidates({ match, isVoid, isOff, onChoose, ...props }: CandidatesProps) {
  const effect = useStill(props.effect, isVoid)
  if (match.candidates.length === 0 || match.state === 'linked') return null
  return (
    <Stack gap="xs" component="section" aria-label="Candidates">
      <Title order={3} size="h5">
        Candidates
      </Title>
      {effect === null ? null : (
        <Text size="sm" style={{ visibility: isVoid ? 'hidden' : 'visible' }}>
          {effect}
        </Text>
      )}
      {match.candidates.map((candidate, at) => (
        <CompanyChoice
          key={candidate.companyRecordId}
          name={candidate.companyName}
          link={candidate.hubspotCompanyLink}
          domains={candidate.domains}
          facts={candidate.facts}
          note={sentence(reasonsText(candidate))}
          label="Accept"
          keyName={at === 0 ? reviewKeys.accept.key : undefined}
          isBusy={isOff}
          onChoose={() => onChoose(candidate.companyRecordId)}
        />
      ))}
    </Stack>
  )
}

/** The reason, brought into view. */
function FailedInDialog({ decisions }: { decisions: Decisions }) {
  return (
    <div ref={(element) => element?.scrollIntoView?.({ block: 'nearest' })}>
      <FailedRows of="dialog" decisions={decisions} />
    </div>
  )
}

function keysOf(
  match: Match,
  foundKeys: readonly string[],
  createsByKey: boolean,
): readonly Omit<ReviewKey, 'what'>[] {
  const accepts = match.state !== 'linked' && bestCandidate(match) !== undefined
  const [first, ...others] = foundKeys
  const { search, choose, create } = reviewKeys
  const chosenBy = others.length === 0 ? first : `1 to ${foundKeys.length}`
  return [
    reviewKeys.next,
    reviewKeys.previous,
    ...(accepts ? [reviewKeys.accept] : []),
    ...(match.state === 'pending' ? [reviewKeys.ignore] : []),
    search,
    ...(chosenBy === undefined ? [] : [{ ...choose, key: chosenBy }]),
    createsByKey ? create : { ...create, hint: 'name a new company' },
    reviewKeys.undo,
  ]
}

/** Whether a company of its own is all that is left to a customer. */
const isCreatable = (match: Match) =>
  match.state === 'pending' && bestCandidate(match) === undefined && newCompanyName(match) !== null

type OtherDecisionsProps = { match: Match; isBusy: boolean; onDecide: (decision: PlannedDecision) => void }

function OtherDecisions({ match, isBusy, onDecide }: OtherDecisionsProps) {
  const { state, domain } = match
  const isManager = useIsManager()
  return (
    <Group gap="xs" data-clear-of-toast>
      {state === 'linked' ? (
        <StartButton variant="default" isOff={isBusy} onClick={() => onDecide(unlink(match))}>
          Unlink
        </StartButton>
      ) : null}
      {state === 'pending' ? (
        <StartButton variant="default" isOff={isBusy} onClick={() => onDecide(ignore([match]))}>
          Ignore Customer
        </StartButton>
      ) : null}
      {state === 'ignored' ? (
        <StartButton variant="default" isOff={isBusy} onClick={() => onDecide(restore(match))}>
          Review Again
        </StartButton>
      ) : null}
      {domain === null ? null : !isManager ? (
        <ManagersNote what={`say that ${domain} is never matched`} />
      ) : (
        <StartButton variant="default" isOff={isBusy} onClick={() => onDecide(never(domain))}>
          Never match {domain}
        </StartButton>
      )}
    </Group>
  )
}

function factsOf(match: Match): CardFact[] {
  const company = <CompanyName name={match.companyName} link={match.hubspotCompanyLink} />
  const ofCompany: CardFact[] = match.state === 'linked' ? [['Company', company]] : []
  const ofContact: CardFact[] = match.contactProblem === null ? [] : [['Contact', match.contactProblem]]
  return [
    [
      'Email',
      match.customerEmail === null ? 'No email' : <Email key="email" address={match.customerEmail} />,
    ],
    ['MRR', <CustomerMrr key="mrr" customer={match} />],
    ...ofCompany,
    ['Why', whyText(match)],
    ...ofContact,
  ]
}
