import { Menu } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { MatchState } from '#domain/company.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { MoreMenu } from '../../ui/more-menu.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useConfirmation } from '../../ui/use-confirmation.ts'
import { type ReviewAsked, reviewPathOf } from './unmatched.tsx'

type Erasing = {
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

function ErasureMenu({ erase, isBusy, children }: Erasing & { children: ReactNode }) {
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
    toast({ title: 'Person erased', description: `Known from now on as ${result.pseudonym}.` })
  }
  return (
    <>
      <MoreMenu of={menuOf} item={title} onChoose={confirmation.ask}>
        {children}
      </MoreMenu>
      <ConfirmDialog
        {...confirmation.dialog}
        title={title}
        text="Names, addresses and texts of this customer, and of every other customer with the same email address, are erased here for good. Amounts stay under a pseudonym, so that no total changes. A sync that is running is stopped; the next one rewrites our records in HubSpot. Nothing changes in Stripe."
        confirmLabel="Erase for good"
        isBusy={isBusy}
        onConfirm={() => void confirm()}
      />
    </>
  )
}

const title = 'Erase this person'
