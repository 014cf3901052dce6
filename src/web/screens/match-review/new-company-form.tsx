import { Group } from '@mantine/core'
import type { FormEvent, Ref } from 'react'
import { companyNameMax } from '#contract/matches.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { DialogField } from './dialog-field.tsx'

type NewCompanyFormProps = {
  typed: string
  onType: (typed: string) => void
  isBusy: boolean
  /** Whether nothing can be created, so that a name helps nobody. */
  isBarred: boolean
  /** Whether nothing else is likely for the customer. */
  isFirstChoice: boolean
  ref: Ref<HTMLFormElement>
  onCreate: (name: string) => void
  /** Called when Escape leaves the field. */
  onLeave: () => void
}

/** Takes the name of a company and creates it in HubSpot. */
export function NewCompanyForm(props: NewCompanyFormProps) {
  const { typed, onType, isBusy, isBarred, isFirstChoice, ref, onCreate, onLeave } = props
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (typed.trim() !== '') onCreate(typed.trim())
  }
  return (
    <form ref={ref} noValidate onSubmit={submit}>
      <Group align="flex-end" gap="xs">
        <DialogField
          flex="1 1 200px"
          label="Create a company"
          placeholder="Name of the new company"
          maxLength={companyNameMax}
          isOff={isBarred}
          onLeave={onLeave}
          value={typed}
          onChange={(event) => onType(event.currentTarget.value)}
        />
        <StartButton
          type="submit"
          variant={isFirstChoice ? 'filled' : 'default'}
          isOff={isBusy || typed.trim() === ''}
        >
          Create in HubSpot
        </StartButton>
      </Group>
    </form>
  )
}
