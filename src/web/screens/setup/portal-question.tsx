import { serverText } from '../../client.ts'
import { OtherPortalNotice } from '../../components/other-portal-notice.tsx'
import { useAcceptPortal } from '../../queries/accept-portal.ts'
import { useToast } from '../../ui/toast.tsx'

type PortalQuestionProps = { portalId: string | null; earlierPortalId: string | null }

/** Asks in the wizard whether another HubSpot account is meant. Renders nothing when there is nothing to ask. */
export function PortalQuestion({ portalId, earlierPortalId }: PortalQuestionProps) {
  const toast = useToast()
  const { accept, isAccepting } = useAcceptPortal((error) => {
    const description = serverText(error, 'Please try again.')
    toast({ title: 'The account could not be confirmed', description, isError: true })
  })
  if (portalId === null || earlierPortalId === null) return null
  return (
    <OtherPortalNotice
      portalId={portalId}
      earlierPortalId={earlierPortalId}
      isBusy={isAccepting}
      onAccept={() => accept(portalId)}
    />
  )
}
