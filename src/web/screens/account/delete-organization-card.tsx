import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { deleteOrganization } from '#contract/deletion.ts'
import { call, serverText } from '../../client.ts'
import { paths } from '../../paths.ts'
import { useForgetSession } from '../../queries/session.ts'
import { useToast } from '../../ui/toast.tsx'
import { DeleteCard } from './delete-card.tsx'

/** Lets an owner delete the whole organization. */
export function DeleteOrganizationCard({ name }: { name: string }) {
  const toast = useToast()
  const navigate = useNavigate()
  const forgetSession = useForgetSession()
  const remove = useMutation({
    mutationFn: (body: { name: string; password: string }) => call(deleteOrganization, { body }),
    onSuccess: async () => {
      toast({ title: 'Organization deleted', description: `${name} and all that was kept of it are gone.` })
      await navigate(paths.dashboard)
      await forgetSession()
    },
  })
  return (
    <DeleteCard
      title="Delete organization"
      text={`Deletes ${name} with all it has imported, for everybody in it, and ends its access to HubSpot. Records that were synced stay in HubSpot; nothing in Stripe changes.`}
      word={name}
      wordLabel="Type the name of the organization"
      isBusy={remove.isPending}
      onAsk={remove.reset}
      problem={
        remove.error === null
          ? null
          : serverText(remove.error, 'The organization could not be deleted. Try again.')
      }
      onDelete={(typed, password) => remove.mutate({ name: typed, password })}
    />
  )
}
