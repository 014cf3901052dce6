import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { dataOf, identity } from '../../../identity/identity.ts'
import { useRefreshUser } from '../../../queries/session.ts'
import { LinkSent } from './change-email.tsx'

/** Whom the next link went to; null when the address is changed, to `email`. */
type Confirmed = { sentTo: 'new' } | { sentTo: null; email: string }

/** Takes the link of a mail about a change of email. Opening the link alone changes nothing. */
export function ConfirmEmail() {
  const [params, setParams] = useSearchParams()
  const refreshUser = useRefreshUser()
  const token = params.get('confirmEmail')
  const confirm = useMutation({
    mutationFn: () =>
      dataOf(
        identity.$fetch<Confirmed>('/change-email/confirm', { method: 'POST', body: { token } }),
        'The change could not be confirmed. Please try again.',
      ),
    onSuccess: refreshUser,
  })
  if (token === null) return null
  const close = () => setParams({}, { replace: true })
  return (
    <Modal opened onClose={close} title="Change email address">
      {confirm.data?.sentTo === 'new' ? (
        <LinkSent to="your new address" onClose={close} />
      ) : confirm.data !== undefined ? (
        <Stack>
          <Text role="status">
            Your email address is now <strong>{confirm.data.email}</strong>. Your other sessions were signed
            out.
          </Text>
          <Group justify="flex-end">
            <Button autoFocus onClick={close}>
              Done
            </Button>
          </Group>
        </Stack>
      ) : (
        <Stack>
          <Text>You opened a link that we sent to change the email address of your account.</Text>
          {confirm.error === null ? null : (
            <Alert color="red" role="alert">
              {confirm.error.message}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button data-autofocus loading={confirm.isPending} onClick={() => confirm.mutate()}>
              Confirm
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  )
}
