import {
  Anchor,
  Button,
  Code,
  CopyButton,
  Group,
  Skeleton,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { ResponseOf } from '#contract/endpoint.ts'
import { getFreshness } from '#contract/imports.ts'
import { getAutoSync } from '#contract/setup.ts'
import { getStripeWebhook, saveStripeWebhook } from '#contract/webhooks.ts'
import { call, endpointKey, serverText, useEndpoint } from '../../client.ts'
import { ManagersNote } from '../../components/managers-note.tsx'
import { freshMs } from '../../queries/freshness.ts'
import { useIsManager } from '../../queries/session.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { Fold } from '../../ui/fold.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { Unread } from '../../ui/problems/unread.tsx'
import { Ago } from '../../ui/time/instant.tsx'
import { useToast } from '../../ui/toast.tsx'

type Webhook = ResponseOf<typeof getStripeWebhook>

const firstDeliveryPollMs = 3_000
/** About what the section takes, so that the cards below move once, with the click that opens it. */
const heightPx = 430

/** Sets up webhooks for people who want changes within seconds. */
export function WebhookSection() {
  return (
    <Stack gap="xs" align="flex-start">
      <SilentNote />
      <Fold openLabel="Webhooks (optional)" closeLabel="Hide webhooks">
        <Webhooks />
      </Fold>
    </Stack>
  )
}

/** Says that the webhook stopped. Changes still arrive, so that nothing else would tell. */
function SilentNote() {
  const { data } = useEndpoint(getFreshness, {}, { staleTime: freshMs.records })
  if (!data?.webhookSilentSince) return null
  return (
    <Text size="sm" c="var(--text-negative)">
      Webhooks have stopped. The last event arrived <Ago at={data.webhookSilentSince} />.
    </Text>
  )
}

/** Says why nothing may arrive any more. */
function SilentReason() {
  const { data } = useEndpoint(getFreshness, {}, { staleTime: freshMs.records })
  if (!data?.webhookSilentSince) return null
  return (
    <Text size="sm" c="var(--text-negative)">
      Stripe had changes since: the endpoint is disabled or deleted there, or does not send all the events
      above.
    </Text>
  )
}

function Webhooks() {
  const isManager = useIsManager()
  const { data, error, refetch } = useEndpoint(
    getStripeWebhook,
    {},
    {
      staleTime: freshMs.records,
      refetchInterval: ({ state }) => (isWaiting(state.data) ? firstDeliveryPollMs : false),
    },
  )
  if (data === undefined && error !== null)
    return <Unread what="The webhook" error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton h={heightPx} />
  if (data.address === null) return null
  return (
    <Stack gap="xs" w="100%" component="section" aria-label="Stripe webhooks">
      <Text size="sm" c="dimmed">
        With a webhook, changes reach the figures within seconds. Add an endpoint on Stripe's page with this
        address and these events, in either payload style: thin events have the same names after{' '}
        <Code>v1.</Code> Then enter the signing secret that Stripe shows for it.
      </Text>
      <UnreadNote />
      {data.page === null ? null : (
        <Anchor href={data.page} target="_blank" rel="noreferrer" size="sm" underline="always">
          Open Stripe's page for webhooks
        </Anchor>
      )}
      <Group align="flex-end" gap="xs">
        <TextInput label="Endpoint address" readOnly value={data.address} flex={1} miw={200} />
        <Copy value={data.address} what="address" />
      </Group>
      <Group align="flex-end" gap="xs">
        <Textarea
          label={`Events to send (${data.events.length})`}
          readOnly
          rows={4}
          value={data.events.join('\n')}
          flex={1}
          miw={200}
        />
        <Copy value={data.events.join('\n')} what="events" />
      </Group>
      {isManager ? (
        <SecretForm webhook={data} />
      ) : (
        <>
          <Text size="sm">Signing secret: {data.secretHint ?? 'none, so no event is taken'}</Text>
          <ManagersNote what="change the signing secret" />
        </>
      )}
      {data.secretHint === null ? null : <DeliveryTexts webhook={data} />}
    </Stack>
  )
}

/** Says that a webhook alone makes nothing faster. */
function UnreadNote() {
  const { data } = useEndpoint(getFreshness, {}, { staleTime: freshMs.records })
  const isOff = useEndpoint(getAutoSync).data?.autoSyncEnabled === false
  if (data?.readsChanges !== false) return null
  return (
    <Text size="sm">
      The key may not read Events. Until it may, changes wait{' '}
      {isOff ? 'until somebody starts an import' : 'for the next automatic run'}, with a webhook too.
    </Text>
  )
}

/** Whether the secret is set and nothing has arrived yet, so that a person watches for the first delivery. */
function isWaiting(webhook: Webhook | undefined): boolean {
  return webhook !== undefined && webhook.secretHint !== null && webhook.lastAcceptedAt === null
}

function Copy({ value, what }: { value: string; what: string }) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Button variant="default" onClick={copy} aria-label={`Copy the ${what}`}>
          {copied ? 'Copied' : 'Copy'}
        </Button>
      )}
    </CopyButton>
  )
}

const refusalOf = (error: Error) => serverText(error, 'An error occurred while saving the signing secret.')

function SecretForm({ webhook }: { webhook: Webhook }) {
  const toast = useToast()
  const client = useQueryClient()
  const [secret, setSecret] = useState('')
  const save = useMutation({
    mutationFn: (signingSecret: string | null) => call(saveStripeWebhook, { body: { signingSecret } }),
    onSuccess: (answer) => {
      client.setQueryData(endpointKey(getStripeWebhook, {}), answer)
      // Its warning of a silent webhook is about the webhook before.
      void client.invalidateQueries({ queryKey: endpointKey(getFreshness) })
      setSecret('')
      toast({ title: answer.secretHint === null ? 'Webhooks ended' : 'Webhooks are on' })
    },
    onError: (error) =>
      toast({ title: 'Failed to save the signing secret', description: refusalOf(error), isError: true }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(secret)
  }
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="xs">
        <PasswordField
          label="Signing secret"
          placeholder={webhook.secretHint ?? 'whsec_'}
          autoComplete="off"
          maxLength={1_000}
          error={save.error && refusalOf(save.error)}
          value={secret}
          onChange={(event) => {
            save.reset()
            setSecret(event.currentTarget.value)
          }}
        />
        <Group>
          <StartButton type="submit" isBusy={save.isPending} isOff={secret.trim() === ''}>
            {webhook.secretHint === null ? 'Save secret' : 'Replace secret'}
          </StartButton>
          {webhook.secretHint === null ? null : (
            <StartButton
              variant="outline"
              color="red"
              isOff={save.isPending}
              onClick={() => save.mutate(null)}
            >
              End webhooks
            </StartButton>
          )}
        </Group>
      </Stack>
    </form>
  )
}

function DeliveryTexts({ webhook: { lastAcceptedAt, lastRefusedAt, otherMode } }: { webhook: Webhook }) {
  return (
    <>
      <Text size="sm" c="dimmed">
        {lastAcceptedAt === null ? (
          'No event has arrived yet.'
        ) : (
          <>
            Last event received <Ago at={lastAcceptedAt} />.
          </>
        )}
      </Text>
      <SilentReason />
      {lastRefusedAt === null ? null : (
        <Text size="sm" c="var(--text-negative)">
          An event was refused <Ago at={lastRefusedAt} />: it was not signed with this secret.
        </Text>
      )}
      {otherMode === null ? null : (
        <Text size="sm" c="var(--text-negative)">
          An event of Stripe's {otherMode.of} mode arrived <Ago at={otherMode.at} />, but the connected key is
          of {otherMode.of === 'test' ? 'live' : 'test'} mode. Add the endpoint in that mode, and enter its
          secret.
        </Text>
      )}
    </>
  )
}
