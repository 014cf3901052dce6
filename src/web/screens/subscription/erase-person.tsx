import { Anchor, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { eraseCustomer } from '#contract/erasures.ts'
import type { Subscription } from '#contract/subscriptions.ts'
import { call, serverText } from '../../client.ts'
import { paths } from '../../paths.ts'
import { useIsManager } from '../../queries/session.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { MoreMenu } from '../../ui/more-menu.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useConfirmation } from '../../ui/use-confirmation.ts'

type ErasureProps = { subscription: Subscription }

/** Tells owners and admins that the customer was erased, and where that is certified. */
export function ErasedNote({ subscription }: ErasureProps) {
  if (!useIsManager() || subscription.erasureId === null) return null
  return (
    <Text size="sm">
      This person was erased.{' '}
      <Anchor component={Link} to={`${paths.accountProfile}?tab=privacy`}>
        See the certificate
      </Anchor>
    </Text>
  )
}

/** Lets owners and admins erase the customer of the subscription. */
export function ErasureMenu({ subscription }: ErasureProps) {
  const isManager = useIsManager()
  const toast = useToast()
  const client = useQueryClient()
  const confirmation = useConfirmation()
  const erase = useMutation({
    mutationFn: () => call(eraseCustomer, { body: { customerId: subscription.customerId } }),
    onSuccess: async ({ erasures }) => {
      // Any earlier answer may still name the person.
      await client.invalidateQueries()
      confirmation.close()
      toast({ title: 'Person erased', description: `Known from now on as ${erasures[0]?.pseudonym ?? ''}.` })
    },
    onError: (error) => {
      const problem = { title: 'Nobody was erased', description: serverText(error, 'Please try again.') }
      confirmation.fail(problem)
      toast({ ...problem, isError: true })
    },
  })
  if (!isManager || subscription.erasureId !== null) return null
  return (
    <>
      <MoreMenu of="the customer" item={title} onChoose={confirmation.ask} />
      <ConfirmDialog
        {...confirmation.dialog}
        title={title}
        text="Names, addresses and texts of this customer, and of every other customer with the same email address, are erased here for good. Amounts stay under a pseudonym, so that no total changes. A sync that is running is stopped; the next one rewrites our records in HubSpot. Nothing changes in Stripe."
        confirmLabel="Erase for good"
        isBusy={erase.isPending}
        onConfirm={() => erase.mutate()}
      />
    </>
  )
}

const title = 'Erase this person'
