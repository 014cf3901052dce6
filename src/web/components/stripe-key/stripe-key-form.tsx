import { Anchor, Group, Stack, Text, TextInput } from '@mantine/core'
import type { SyntheticEvent } from 'react'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { useToast } from '../../ui/toast.tsx'
import { OtherAccountDialog } from './other-account-dialog.tsx'
import { type StripeKeyGuidance, StripeKeyGuide } from './stripe-key-guide.tsx'

type StripeKeyFormProps = {
  connecting: {
    apiKey: string
    type: (apiKey: string) => void
    /** The account that an organization's key is to read; null where the key needs none. */
    account: string | null
    typeAccount: (account: string) => void
    /** Says whose organization gets the data; null until that is known. */
    keyReader: string | null
    submit: () => Promise<void>
    isBusy: boolean
    question: string | null
    reset: () => Promise<void>
    keep: () => void
    /** Says why the last key was not taken, until another is typed. */
    problem: string | null
    refuse: (problem: string) => void
  }
  /** Says how to make a key; undefined until that is known, null if it could not be loaded. */
  guide: StripeKeyGuidance | null | undefined
  submitLabel: string
  description: string
  isDisabled?: boolean
  /** Says why the typed key cannot be one; null when it may be. */
  problemOf?: (apiKey: string) => { title: string; description: string } | null
  /** The key of the simulated Stripe; null offers none. */
  demoKey?: string | null
  /** Ends the change without a new key; undefined when there is nothing to return to. */
  onCancel?: (() => void) | undefined
}

const missing = { title: 'API Key Required', description: 'Please enter your Stripe secret API key.' }
const missingAccount = {
  title: 'Account Required',
  description: 'An organization key works for several accounts. Enter the id of the one to import from.',
}

/** Takes the key for a first connection or for a changed one. */
export function StripeKeyForm(props: StripeKeyFormProps) {
  const { connecting, submitLabel, description, isDisabled = false, demoKey = null, onCancel } = props
  const { apiKey, account } = connecting
  const toast = useToast()
  const isMissing = apiKey.trim() === ''
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    const problem = isMissing
      ? missing
      : (props.problemOf?.(apiKey) ?? (account?.trim() === '' ? missingAccount : null))
    if (problem !== null) {
      connecting.refuse(problem.description)
      return toast({ ...problem, isError: true })
    }
    void connecting.submit()
  }
  return (
    <form noValidate onSubmit={submit}>
      <Stack gap="xs">
        <PasswordField
          label="Stripe API Key"
          placeholder="sk_live_"
          description={description}
          autoComplete="off"
          maxLength={1_000}
          error={connecting.problem}
          value={apiKey}
          onChange={(event) => connecting.type(event.currentTarget.value)}
          onKeyDown={(event) => {
            // The button is disabled without a key, and a browser then submits no form.
            if (event.key === 'Enter' && isMissing) submit(event)
          }}
        />
        {account === null ? null : (
          <TextInput
            label="Stripe Account"
            placeholder="acct_"
            description="This is an organization key, which works for several accounts. Enter the id of the one to import from; Stripe shows it in the settings of the account."
            autoComplete="off"
            maxLength={1_000}
            value={account}
            onChange={(event) => connecting.typeAccount(event.currentTarget.value)}
          />
        )}
        {connecting.keyReader === null ? null : (
          <Text size="sm" c="dimmed">
            {connecting.keyReader}
          </Text>
        )}
        <Group>
          <StartButton type="submit" isBusy={connecting.isBusy} isOff={isDisabled || isMissing}>
            {submitLabel}
          </StartButton>
          {demoKey === null ? null : (
            <Anchor component="button" type="button" size="sm" onClick={() => connecting.type(demoKey)}>
              Use the demo key
            </Anchor>
          )}
          <Text size="sm" c="dimmed" role="status">
            {demoKey !== null && apiKey === demoKey ? `The demo key is filled in. Press ${submitLabel}.` : ''}
          </Text>
          {onCancel === undefined ? null : (
            <StartButton variant="default" isOff={connecting.isBusy} onClick={onCancel}>
              Cancel
            </StartButton>
          )}
        </Group>
        <StripeKeyGuide guide={props.guide} />
      </Stack>
      <OtherAccountDialog
        question={connecting.question}
        isBusy={connecting.isBusy}
        onReset={() => void connecting.reset()}
        onKeep={connecting.keep}
      />
    </form>
  )
}
