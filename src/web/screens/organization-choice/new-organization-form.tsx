import { Alert, Anchor, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { createOrganization } from '#contract/organization.ts'
import { ApiError, call, serverText } from '../../client.ts'
import { paths, withRedirect } from '../../paths.ts'
import { useForgetSession } from '../../queries/session.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { useFieldErrors } from '../../ui/use-field-errors.ts'
import { proposedSlug } from './find-organization.ts'
import { leadsOn } from './leads-on.ts'

type NewOrganizationFormProps = {
  isAside: boolean
  /** Looks whether another tab created it; says whether that leads on. */
  onRefused: () => Promise<boolean>
}

/** Creates an organization and opens the wizard. `isAside` where another choice comes first: quieter, without the focus. */
export function NewOrganizationForm({ isAside, onRefused }: NewOrganizationFormProps) {
  const navigate = useNavigate()
  const forgetSession = useForgetSession()
  const [name, setName] = useState('')
  const [ownSlug, setOwnSlug] = useState<string | null>(null)
  const [isAddressShown, setAddressShown] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [fallback] = useState(() => `organization-${crypto.randomUUID().slice(0, 8)}`)
  const slug = ownSlug || proposedSlug(name, fallback)
  const { form, areRight, errors } = useFieldErrors({ name: 'a name', slug: 'an address' })
  /** An address that we made up and that is taken gets an end of its own. */
  const create = async (wanted: string): Promise<void> => {
    try {
      await call(createOrganization, { body: { name: name.trim(), slug: wanted } })
    } catch (error) {
      const isOurs = ownSlug === null && wanted === slug
      if (!isOurs || !(error instanceof ApiError) || error.status !== 409) throw error
      await create(`${slug.slice(0, 40).replace(/-$/, '')}-${fallback.slice(-4)}`)
    }
  }
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!areRight(event.currentTarget)) return
    setBusy(true)
    setFailure(null)
    try {
      await create(slug)
      // Once the session has an organization, the screen opens the address that is named here.
      await navigate(withRedirect(paths.organizationSelection, paths.setup), { replace: true })
      await forgetSession()
    } catch (error) {
      if (await leadsOn(error, onRefused)) return
      setBusy(false)
      setFailure(serverText(error, 'The organization could not be created. Please try again.'))
    }
  }
  return (
    <form {...form} onSubmit={(event) => void submit(event)}>
      <Stack>
        {failure === null ? null : (
          <Alert color="red" role="alert">
            {failure}
          </Alert>
        )}
        <TextInput
          label="Organization name"
          name="name"
          autoFocus={!isAside}
          error={errors.name}
          autoComplete="organization"
          required
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {isAddressShown ? (
          <TextInput
            label="Address (optional)"
            name="slug"
            autoFocus
            description="A short name for links. Lowercase letters, digits and hyphens."
            title="Use lowercase letters, digits and single hyphens."
            maxLength={48}
            pattern="[a-z0-9]+(-[a-z0-9]+)*"
            error={errors.slug}
            value={ownSlug ?? slug}
            onChange={(event) => setOwnSlug(event.currentTarget.value)}
          />
        ) : (
          <Anchor component="button" type="button" size="sm" ta="start" onClick={() => setAddressShown(true)}>
            Address (optional)
          </Anchor>
        )}
        <StartButton type="submit" variant={isAside ? 'default' : 'filled'} isBusy={isBusy}>
          Create organization
        </StartButton>
      </Stack>
    </form>
  )
}
