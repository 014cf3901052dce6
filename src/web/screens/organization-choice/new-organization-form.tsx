import { Alert, Button, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { createOrganization } from '#contract/organization.ts'
import { call, serverText } from '../../client.ts'
import { paths, withRedirect } from '../../paths.ts'
import { useForgetSession } from '../../queries/session.ts'
import { proposedSlug } from './find-organization.ts'

/** Creates an organization and opens the wizard. */
export function NewOrganizationForm() {
  const navigate = useNavigate()
  const forgetSession = useForgetSession()
  const [name, setName] = useState('')
  const [ownSlug, setOwnSlug] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [fallback] = useState(() => `organization-${crypto.randomUUID().slice(0, 8)}`)
  const slug = ownSlug ?? proposedSlug(name, fallback)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setFailure(null)
    try {
      await call(createOrganization, { body: { name: name.trim(), slug } })
      // Once the session has an organization, the screen opens the address that is named here.
      await navigate(withRedirect(paths.organizationSelection, paths.setup), { replace: true })
      await forgetSession()
    } catch (error) {
      setBusy(false)
      setFailure(serverText(error, 'The organization could not be created. Please try again.'))
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack>
        {failure === null ? null : (
          <Alert color="red" role="alert">
            {failure}
          </Alert>
        )}
        <TextInput
          label="Organization name"
          autoComplete="organization"
          required
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label="Slug"
          description="Lower-case letters, digits and hyphens."
          required
          maxLength={48}
          pattern="[a-z0-9]+(-[a-z0-9]+)*"
          value={slug}
          onChange={(event) => setOwnSlug(event.currentTarget.value)}
        />
        <Button type="submit" loading={isBusy}>
          Create organization
        </Button>
      </Stack>
    </form>
  )
}
