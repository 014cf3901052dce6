import { Anchor, Checkbox, Group, Stack, Text } from '@mantine/core'
import type { Match } from '#contract/matches.ts'
import { CompanyName } from '../../components/company-name.tsx'
import { CustomerMrr } from '../../components/customers/customer-mrr.tsx'
import { customerTitle } from '../../components/customers/customer-title.ts'
import { Email } from '../../components/customers/email.tsx'
import {
  companyFactsText,
  domainsText,
  suggestionText,
  whyText,
} from '../../components/customers/match-words.ts'
import type { CardLines, Column } from '../../components/list-page/column.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { bestCandidate } from './decisions.ts'

/** Sentences wrap, because one line would be as wide as two screens. */
const wraps = { whiteSpace: 'normal', overflowWrap: 'anywhere' } as const

type MatchActions = {
  /** Shows the possible decisions about the customer. */
  onOpen: (row: Match) => void
  /** Attaches the customer to its best candidate. */
  onAccept: (row: Match) => void
  /** Null where nothing can be selected. */
  selectedIds: ReadonlySet<string> | null
  onToggle: (row: Match) => void
  /** Whether only the first columns are in view. */
  isNarrow: boolean
  /** About whom something is being sent, and whether nothing can be decided. */
  decisions: { sendingIds: ReadonlySet<string>; barred: string | null }
}

/** The columns of the list, with what can be done in a row. */
export function matchColumns(actions: MatchActions): Column<Match>[] {
  return [
    {
      accessor: 'customerName',
      title: 'Customer',
      render: (row) => <Customer row={row} actions={actions} />,
    },
    {
      accessor: 'currentMrr',
      title: 'MRR',
      textAlign: 'right',
      render: (row) => <CustomerMrr customer={row} />,
    },
    {
      accessor: 'companyName',
      title: 'Company',
      render: (row) => (
        <Text size="sm" component="div" style={wraps}>
          <Company row={row} actions={actions} />
        </Text>
      ),
    },
    { accessor: 'evidence', title: 'Why', render: (row) => <Why row={row} /> },
  ]
}

/** A customer on a narrow screen, with the same deeds as in a row. */
export function matchCard(actions: MatchActions): (row: Match) => CardLines {
  return (row) => ({
    title: <Customer row={row} actions={{ ...actions, isNarrow: false }} />,
    amount: <CustomerMrr customer={row} />,
    amountName: 'MRR',
    badge: <Why row={row} />,
    date: null,
    more: <Company row={row} actions={{ ...actions, isNarrow: false }} />,
  })
}

function Customer({ row, actions }: { row: Match; actions: MatchActions }) {
  const { onOpen, onToggle, selectedIds } = actions
  const email = row.customerEmail === null ? 'No email' : <Email address={row.customerEmail} />
  const isNamedByEmail = customerTitle(row) === row.customerEmail
  return (
    <Group gap="xs" wrap="nowrap">
      {selectedIds === null ? null : (
        <Checkbox
          aria-label={`Select ${customerTitle(row)}`}
          checked={selectedIds.has(row.customerId)}
          onChange={() => onToggle(row)}
        />
      )}
      <Stack gap={0} align="flex-start">
        <Anchor
          component="button"
          type="button"
          size="sm"
          ta="left"
          style={wraps}
          data-customer={row.customerId}
          onClick={() => onOpen(row)}
        >
          {isNamedByEmail ? email : customerTitle(row)}
        </Anchor>
        <Text size="xs" style={wraps}>
          {isNamedByEmail ? 'No name' : email}
        </Text>
        {actions.isNarrow ? <AcceptButton row={row} actions={actions} isNamed /> : null}
      </Stack>
    </Group>
  )
}

function Why({ row }: { row: Match }) {
  const suggestion = suggestionText(row)
  return (
    <div>
      <Text size="sm" style={wraps}>
        {whyText(row)}
      </Text>
      {suggestion === '' ? null : (
        <Text size="xs" style={wraps}>
          {suggestion}
        </Text>
      )}
      {row.contactProblem === null ? null : (
        <Text size="xs" style={wraps}>
          Contact: {row.contactProblem}
        </Text>
      )}
    </div>
  )
}

function Company({ row, actions }: { row: Match; actions: MatchActions }) {
  if (row.state === 'linked') return <CompanyName name={row.companyName} link={row.hubspotCompanyLink} />
  const best = bestCandidate(row)
  if (best === undefined) return <FindButton row={row} actions={actions} />
  const [, second, ...more] = row.candidates
  const domains = domainsText(best.domains)
  return (
    <Group gap="xs" wrap="nowrap" justify="space-between">
      <div>
        <CompanyName name={best.companyName} link={best.hubspotCompanyLink} />
        {domains === '' ? null : (
          <Text size="xs" c="dimmed">
            <Email address={domains} />
          </Text>
        )}
        {second === undefined ? null : <Known facts={best.facts} />}
        {second === undefined ? null : <Others second={second} moreCount={more.length} than={domains} />}
      </div>
      {actions.isNarrow ? null : <AcceptButton row={row} actions={actions} />}
    </Group>
  )
}

type OthersProps = { second: Match['candidates'][number]; moreCount: number; than: string }

/** The next candidate, with its domains if these tell it from the first, and how many more there are. */
function Others({ second, moreCount, than }: OthersProps) {
  const domains = domainsText(second.domains)
  return (
    <Text component="div" size="xs" c="dimmed">
      or {second.companyName ?? 'Unknown Company'}
      {domains === '' || domains === than ? null : (
        <>
          , <Email address={domains} />
        </>
      )}
      {moreCount === 0 ? '' : ` or ${moreCount} more`}
      <Known facts={second.facts} />
    </Text>
  )
}

/** What HubSpot knows of a candidate, which helps to choose one of several. */
function Known({ facts }: Pick<Match['candidates'][number], 'facts'>) {
  const text = companyFactsText(facts)
  return text === '' ? null : (
    <Text size="xs" c="dimmed" style={wraps}>
      {text}
    </Text>
  )
}

/** Where there is no candidate, a person searches for the company or creates it. */
function FindButton({ row, actions }: { row: Match; actions: MatchActions }) {
  if (row.state !== 'pending') return '-'
  return (
    <StartButton
      size="compact-sm"
      variant="default"
      aria-label={`Find or create a company for ${customerTitle(row)}`}
      isOff={actions.decisions.barred !== null}
      isBusy={actions.decisions.sendingIds.has(row.customerId)}
      onClick={() => actions.onOpen(row)}
    >
      Find or create
    </StartButton>
  )
}

type AcceptButtonProps = { row: Match; actions: MatchActions; isNamed?: boolean }

/** Attaches a customer that waits to its best candidate. */
function AcceptButton({ row, actions, isNamed = false }: AcceptButtonProps) {
  const best = bestCandidate(row)
  if (best === undefined || row.state !== 'pending') return null
  const company = best.companyName ?? 'this company'
  return (
    <StartButton
      size="compact-sm"
      variant="light"
      data-accept={row.customerId}
      aria-label={`Accept ${company} for ${customerTitle(row)}`}
      isOff={actions.decisions.barred !== null}
      isBusy={actions.decisions.sendingIds.has(row.customerId)}
      onClick={() => actions.onAccept(row)}
      maw="100%"
      style={{ flexShrink: 0 }}
    >
      {isNamed ? `Accept ${company}` : 'Accept'}
    </StartButton>
  )
}
