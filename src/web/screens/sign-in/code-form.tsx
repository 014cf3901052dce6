import { Alert, Anchor, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { codeFailureText } from '../../identity/code-failure.ts'
import { identity } from '../../identity/identity.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { useFieldErrors } from '../../ui/use-field-errors.ts'
import { type Factor, factors } from './factors.ts'

type CodeFormProps = {
  onSignedIn: () => Promise<void>
  /** The password must be entered again: the time between it and the code is over. */
  onStartAgain: () => void
}

/** Asks for the code that follows the right password, of the app or of the list of recovery codes. */
export function CodeForm({ onSignedIn, onStartAgain }: CodeFormProps) {
  const [factor, setFactor] = useState<Factor>('app')
  const [code, setCode] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const { path, label, description, other } = factors[factor]
  const { form, areRight, errors } = useFieldErrors({ code: 'a code' })
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!areRight(event.currentTarget)) return
    setBusy(true)
    const { error } = await identity.$fetch(path, { method: 'POST', body: { code: code.trim() } })
    if (error === null) await onSignedIn()
    else setFailure(codeFailureText(error))
    setBusy(false)
  }
  const change = () => {
    setFactor(factor === 'app' ? 'recovery' : 'app')
    setCode('')
    setFailure(null)
  }
  return (
    <form {...form} onSubmit={(event) => void submit(event)}>
      <Stack>
        <Text size="sm">Your password is correct. Now enter a code.</Text>
        {failure === null ? null : (
          <Alert color="red" role="alert">
            {failure}
          </Alert>
        )}
        <TextInput
          key={factor}
          label={label}
          name="code"
          error={errors.code}
          description={description}
          inputMode={factor === 'app' ? 'numeric' : 'text'}
          autoComplete={factor === 'app' ? 'one-time-code' : 'off'}
          autoFocus
          data-autofocus
          required
          maxLength={40}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <StartButton type="submit" isBusy={isBusy}>
          Continue
        </StartButton>
        <Anchor component="button" type="button" size="sm" ta="start" onClick={change}>
          {other}
        </Anchor>
        <Anchor component="button" type="button" size="sm" ta="start" onClick={onStartAgain}>
          Back to sign-in
        </Anchor>
      </Stack>
    </form>
  )
}
