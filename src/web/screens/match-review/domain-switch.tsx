import { Switch } from '@mantine/core'
import { countDomain } from '#contract/lists/match-figures.ts'
import type { Match } from '#contract/matches.ts'
import { useEndpoint } from '../../client.ts'
import { counted } from '../../components/counted.ts'
import { freshMs } from '../../queries/freshness.ts'

type DomainChoice = ReturnType<typeof useDomainChoice>

/** Remembers whether the choice is for the whole domain, and counts whom else it attaches then. */
export function useDomainChoice(match: Match, isOn: boolean, turn: (isOn: boolean) => void) {
  const { customerId, domain } = match
  const query = isOn && domain !== null ? { domain, exceptCustomerId: customerId } : null
  const { data } = useEndpoint(countDomain, query && { query }, { staleTime: freshMs.records })
  return { isOn, turn, others: query === null ? undefined : data, besides: query && besidesText(data) }
}

type Others = { waitingCustomers: number; waitingRecords: number }

/** The records of others that are attached too, for a sentence about the customer's own. */
function besidesText(others: Others | undefined): string {
  if (others === undefined) return ', and those of all customers of its domain that wait,'
  const { waitingCustomers, waitingRecords } = others
  if (waitingCustomers === 0) return ''
  return `, and ${counted(waitingRecords, 'record')} of ${counted(waitingCustomers, 'more customer')} of its domain,`
}

type DomainSwitchProps = { domain: string; choice: DomainChoice; isOff: boolean }

/** Lets the choice of a company count for all customers of the domain. */
export function DomainSwitch({ domain, choice, isOff }: DomainSwitchProps) {
  const { isOn, turn, others } = choice
  return (
    <Switch
      label={`Always attach ${domain} to the company that I choose`}
      description={`${whoElse(others)} You can change this under Rules.`}
      checked={isOn}
      disabled={isOff}
      onChange={(event) => turn(event.currentTarget.checked)}
    />
  )
}

function whoElse(others: Others | undefined): string {
  if (others === undefined) return 'Customers of this domain that wait now are attached too.'
  const count = others.waitingCustomers
  if (count === 0) return 'No other customer of this domain waits now.'
  return `${counted(count, 'more customer')} of this domain that ${count === 1 ? 'waits now is' : 'wait now are'} attached too.`
}
