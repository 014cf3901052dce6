import { Menu, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { ResponseOf } from '#contract/endpoint.ts'
import { countedOthersMax, type getErasureQuestion } from '#contract/erasures.ts'
import type { MatchState } from '#domain/company.ts'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { useConfirmation } from '../../ui/dialogs/use-confirmation.ts'
import { MoreMenu } from '../../ui/more-menu.tsx'
import { ReadFailure } from '../../ui/problems/unread.tsx'
import { useToast } from '../../ui/toast.tsx'
import { counted } from '../counted.ts'
import { customerTitle } from './customer-title.ts'
import { type ReviewAsked, reviewPathOf } from './unmatched.tsx'

type Erased = { customerId: string } & ResponseOf<typeof getErasureQuestion>

type Erasing = {
  /** Looks up who is meant. */
  lookUp: () => void
  /** Who is meant, and how many have the same email address; undefined until it is known. */
  erased: Erased | undefined
  /** Why that could not be read; null while nothing failed. */
  failure: Error | null
  lookUpAgain: () => void
  /** Whether no sync takes the person out of HubSpot by itself. */
  isSyncedByHand: boolean
  /** Tells the pseudonym, or why nobody was erased. */
  erase: () => Promise<{ pseudonym: string } | { problem: string }>
  isBusy: boolean
}

type CustomerMenuProps = {
  customerId: string
  /** How it stands with its company; null where there is nothing to change yet. */
  matchState: MatchState | null
  /** Null where the person may not erase the customer. */
  erasing: Erasing | null
}

/** Lets a person choose another company for a customer, or erase it after a question; nothing where neither is possible. */
export function CustomerMenu({ customerId, matchState, erasing }: CustomerMenuProps) {
  if (matchState === null && erasing === null) return null
  const change =
    matchState === null ? null : (
      <Menu.Item
        component={Link}
        to={reviewPathOf(customerId, matchState)}
        state={{ reviewed: customerId } satisfies ReviewAsked}
      >
        {matchState === 'linked' ? 'Change company' : 'Choose company'}
      </Menu.Item>
    )
  if (erasing === null) return <MoreMenu of={menuOf}>{change}</MoreMenu>
  return <ErasureMenu {...erasing}>{change}</ErasureMenu>
}

const menuOf = 'the customer'

type ErasureMenuProps = Erasing & { children: ReactNode }

function ErasureMenu({ children, ...erasing }: ErasureMenuProps) {
  const { lookUp, erased, isSyncedByHand, erase, isBusy } = erasing
  const toast = useToast()
  const confirmation = useConfirmation()
  const confirm = async () => {
    const result = await erase()
    if ('problem' in result) {
      const problem = { title: 'Nobody was erased', description: result.problem }
      confirmation.fail(problem)
      toast({ ...problem, isError: true })
      return
    }
    confirmation.close()
    const known = `Known from now on as ${result.pseudonym}.`
    const inHubspot = isSyncedByHand ? ` ${byHand}` : ''
    toast({ title: 'Person erased', description: `${known}${inHubspot}` })
  }
  const ask = () => {
    lookUp()
    confirmation.ask()
  }
  return (
    <>
      <MoreMenu of={menuOf} item={title} onChoose={ask}>
        {children}
      </MoreMenu>
      <ConfirmDialog
        {...confirmation.dialog}
        title={title}
        text={
          <>
            <Who {...erasing} />
            <Text mt="xs">
              Names, addresses and texts {whose(erasing.erased)} are erased here for good. Amounts stay under
              a pseudonym, so that no total changes. A sync that is running is stopped; the next one rewrites
              our records in HubSpot. Nothing changes in Stripe.
            </Text>
            <Text mt="xs">This cannot be taken back.{isSyncedByHand ? ` ${byHand}` : ''}</Text>
          </>
        }
        confirmLabel="Erase for good"
        isBusy={isBusy}
        isOff={erased === undefined}
        onConfirm={() => void confirm()}
      />
    </>
  )
}

function Who({ erased, failure, lookUpAgain }: Pick<Erasing, 'erased' | 'failure' | 'lookUpAgain'>) {
  if (erased === undefined && failure !== null)
    return <ReadFailure title="Who is erased could not be read" error={failure} onRetry={lookUpAgain} />
  return (
    <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
      {erased === undefined ? 'Looking up who has this email address…' : whoText(erased)}
    </Text>
  )
}

function whose(erased: Erased | undefined): string {
  if (erased === undefined)
    return 'of this customer, and of every other customer with the same email address,'
  return erased.otherCount === 0 ? 'of this customer' : 'of all of them'
}

/** Names the person, and counts who is erased too. */
function whoText(erased: Erased): string {
  const { customerEmail, otherCount } = erased
  const title = customerTitle(erased)
  const name = customerEmail === null || title === customerEmail ? title : `${title}, ${customerEmail}`
  if (customerEmail === null) return `${name}, and nobody else: there is no email address`
  if (otherCount === 0) return `${name}, and no other customer`
  const others = counted(otherCount, 'other customer')
  return `${name}, and ${otherCount < countedOthersMax ? '' : 'at least '}${others} with this email address`
}

const byHand =
  'Records in HubSpot keep the name until somebody starts a sync on Data Sync, because none comes by itself.'

const title = 'Erase this person'
