import { Button, Group, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { companyNameMax } from '#contract/matches.ts'

type NewCompanyFormProps = { name: string; isBusy: boolean; onCreate: (name: string) => void }

/** Takes the name of a company and creates it in HubSpot. */
export function NewCompanyForm({ name, isBusy, onCreate }: NewCompanyFormProps) {
  const [typed, setTyped] = useState(name)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onCreate(typed.trim())
  }
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="xs">
        <TextInput
          flex="1 1 200px"
          label="Create a company"
          placeholder="Name of the new company"
          maxLength={companyNameMax}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" disabled={isBusy || typed.trim() === ''}>
          Create in HubSpot
        </Button>
      </Group>
    </form>
  )
}
