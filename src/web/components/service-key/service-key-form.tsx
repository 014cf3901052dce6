import { Button, Code, CopyButton, Group, List, Stack, Text } from '@mantine/core'
import type { SyntheticEvent } from 'react'
import type { getHubspotWays } from '#contract/connections.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { PasswordField } from '../../ui/password-field.tsx'

type Ways = ResponseOf<typeof getHubspotWays>

type ServiceKeyFormProps = {
  typed: {
    key: string
    problem: string | null
    isBusy: boolean
    type: (text: string) => void
    submit: () => Promise<void>
  }
  submitLabel: string
  /** undefined until the server has told it. */
  ways: Ways | undefined
  /** Only the scopes for creating the custom objects are needed. */
  isForObjectsOnly?: boolean
  isDisabled?: boolean
  /** Ends the form without a key; undefined when there is nothing to return to. */
  onCancel?: (() => void) | undefined
}

/** Takes a service key of HubSpot, and says where it is made and which scopes it needs. */
export function ServiceKeyForm(props: ServiceKeyFormProps) {
  const { typed, submitLabel, ways, isForObjectsOnly = false, isDisabled = false, onCancel } = props
  const isMissing = typed.key.trim() === ''
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (!isMissing) void typed.submit()
  }
  const scopes = ways?.keyScopes.filter(({ makesObjects }) => makesObjects || !isForObjectsOnly) ?? []
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="xs">
        <PasswordField
          label={onCancel === undefined ? 'HubSpot service key' : 'New HubSpot service key'}
          placeholder="pat-"
          description={
            isForObjectsOnly
              ? 'The key is used once, for creating the objects, and is not stored.'
              : 'For one HubSpot account. The key is stored encrypted and never shown again.'
          }
          error={typed.problem}
          autoComplete="off"
          maxLength={1_000}
          value={typed.key}
          onChange={(event) => typed.type(event.currentTarget.value)}
        />
        <Group>
          <StartButton type="submit" isBusy={typed.isBusy} isOff={isDisabled || isMissing}>
            {submitLabel}
          </StartButton>
          {onCancel === undefined ? null : (
            <StartButton variant="default" isOff={typed.isBusy} onClick={onCancel}>
              Cancel
            </StartButton>
          )}
        </Group>
        {ways === undefined ? null : <NeededScopes keyPlace={ways.keyPlace} scopes={scopes} />}
      </Stack>
    </form>
  )
}

function NeededScopes({ keyPlace, scopes }: { keyPlace: string; scopes: Ways['keyScopes'] }) {
  const names = scopes.map(({ name }) => name)
  return (
    <Stack gap="xs" component="section" aria-label="Scopes of the key">
      <Text size="sm">
        An admin makes the key in HubSpot under <strong>{keyPlace}</strong>. It needs these scopes:
      </Text>
      <List size="sm" spacing={4}>
        {scopes.map(({ name, use }) => (
          <List.Item key={name}>
            <Code>{name}</Code> {use}
          </List.Item>
        ))}
      </List>
      <CopyButton value={names.join('\n')}>
        {({ copied, copy }) => (
          <Button variant="default" size="xs" onClick={copy} style={{ alignSelf: 'flex-start' }}>
            {copied ? 'Copied' : 'Copy the scopes'}
          </Button>
        )}
      </CopyButton>
    </Stack>
  )
}
