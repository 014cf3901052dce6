import { useMutation } from '@tanstack/react-query'
import { deleteAccount } from '#contract/deletion.ts'
import { call, serverText } from '../../client.ts'
import { paths } from '../../paths.ts'
import { DeleteCard } from './delete-card.tsx'

type DeleteAccountCardProps = {
  email: string
  /** The organization that would have no owner then; the server knows of others too. */
  ownedAlone: string | null
}

/** Deletes the person's account. */
export function DeleteAccountCard({ email, ownedAlone }: DeleteAccountCardProps) {
  const remove = useMutation({
    mutationFn: (body: { email: string; password: string }) => call(deleteAccount, { body }),
    // The end has its own page, so that nothing of the account stays in this one.
    onSuccess: () => window.location.assign(paths.afterDeletion),
  })
  return (
    <DeleteCard
      title="Delete my account"
      text="Deletes your account and removes your address from the records of your organizations. Their data stays with their other members. The only owner of an organization first transfers the ownership or deletes the organization."
      word={email}
      wordLabel="Type your email address"
      hindrance={
        ownedAlone === null
          ? null
          : `You are the only owner of ${ownedAlone}. Transfer the ownership or delete the organization first.`
      }
      isBusy={remove.isPending}
      onAsk={remove.reset}
      problem={
        remove.error === null
          ? null
          : serverText(remove.error, 'Your account could not be deleted. Try again.')
      }
      onDelete={(typed, password) => remove.mutate({ email: typed, password })}
    />
  )
}
