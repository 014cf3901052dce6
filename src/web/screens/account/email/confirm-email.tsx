import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { dataOf, failureText, identity } from '../../../identity/identity.ts'
import { useRefreshUser } from '../../../queries/session.ts'
import { StartButton } from '../../../ui/buttons/start-button.tsx'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { LinkSent } from './change-email.tsx'

/** What the link confirms, at which of the two mailboxes. */
type Change = { step: 'old' | 'new'; from: string; to: string }
/** Whom the next link went to; null when the address is changed, to `email`. */
type Confirmed = { sentTo: 'new' } | { sentTo: null; email: string }

/** Takes the link of a mail about a change of email. Opening the link alone changes nothing. */
export function ConfirmEmail() {
  const [params, setParams] = useSearchParams()
  const token = params.get('confirmEmail')
  if (token === null) return null
  return <LinkDialog token={token} onClose={() => setParams({}, { replace: true })} />
}

type LinkProps = { token: string; onClose: () => void }

function LinkDialog({ token, onClose }: LinkProps) {
  return (
    <Dialog opened onClose={onClose} title="Change email address">
      <OpenedLink token={token} onClose={onClose} />
    </Dialog>
  )
}

function OpenedLink({ token, onClose }: LinkProps) {
  const refreshUser = useRefreshUser()
  const look = useLook(token)
  const confirm = useMutation({
    mutationFn: () =>
      dataOf(
        identity.$fetch<Confirmed>('/change-email/confirm', { method: 'POST', body: { token } }),
        'The change could not be confirmed. Please try again.',
      ),
    onSuccess: refreshUser,
  })
  const change = look.data?.change
  const trouble = look.data?.refusal ?? look.error?.message ?? confirm.error?.message
  if (confirm.data?.sentTo === 'new') return <LinkSent to={change?.to ?? ''} onClose={onClose} />
  if (confirm.data !== undefined) return <Changed email={confirm.data.email} onClose={onClose} />
  return (
    <Stack>
      {change ? <Question change={change} /> : look.isPending ? <Text>Reading the link…</Text> : null}
      {trouble === undefined ? null : (
        <Alert color="red" role="alert">
          {trouble}
        </Alert>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {look.data?.refusal === undefined ? 'Cancel' : 'Close'}
        </Button>
        {look.isError ? <Button onClick={() => void look.refetch()}>Try again</Button> : null}
        {change ? (
          <StartButton autoFocus isBusy={confirm.isPending} onClick={() => confirm.mutate()}>
            Confirm
          </StartButton>
        ) : null}
      </Group>
    </Stack>
  )
}

/** What a link would change; asked once, since confirming uses the link up. */
function useLook(token: string) {
  return useQuery({
    queryKey: ['email-change', token],
    queryFn: async (): Promise<{ change?: Change; refusal?: string }> => {
      const lost = 'The link could not be read. Please try again.'
      const answer = await identity.$fetch<Change>('/change-email/look', { method: 'POST', body: { token } })
      if (answer.error?.status === 400) return { refusal: failureText(answer.error, lost) }
      return { change: await dataOf(Promise.resolve(answer), lost) }
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

function Question({ change: { step, from, to } }: { change: Change }) {
  return (
    <>
      <Text>
        Change your email address from <strong>{from}</strong> to <strong>{to}</strong>?
      </Text>
      <Text>
        {step === 'old'
          ? 'We then ask at the new address. Until it confirms too, nothing changes.'
          : 'From then on you sign in with the new address. Your other sessions are signed out.'}
      </Text>
    </>
  )
}

function Changed({ email, onClose }: { email: string; onClose: () => void }) {
  return (
    <Stack>
      <Text role="status">
        Your email address is now <strong>{email}</strong>. Your other sessions were signed out.
      </Text>
      <Group justify="flex-end">
        <Button autoFocus onClick={onClose}>
          Done
        </Button>
      </Group>
    </Stack>
  )
}
