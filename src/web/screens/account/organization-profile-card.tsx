import { Card, Group, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { ResponseOf } from '#contract/endpoint.ts'
import { getOrganizationProfile, listOrganizations, saveOrganizationProfile } from '#contract/organization.ts'
import { call, endpointKey, serverText, useEndpoint } from '../../client.ts'
import { useRefreshUser } from '../../queries/session.ts'
import { StartButton } from '../../ui/buttons/start-button.tsx'
import { Portrait } from '../../ui/portrait.tsx'
import { FailureText } from '../../ui/problems/failure-text.tsx'
import { Unread } from '../../ui/problems/unread.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useFieldErrors } from '../../ui/use-field-errors.ts'
import { keptWhileHidden } from './use-members.ts'

type Profile = ResponseOf<typeof getOrganizationProfile>

/** Shows the name, slug and picture of the organization, which owners and admins may change. */
export function OrganizationProfileCard({ canChange }: { canChange: boolean }) {
  const profile = useEndpoint(getOrganizationProfile, {}, { staleTime: 0, ...keptWhileHidden })
  return (
    <Card withBorder component="section" aria-label="Organization profile">
      <Stack gap="sm">
        <Title order={2} size="h5">
          Organization profile
        </Title>
        {profile.isPending ? <Skeleton h={canChange ? { base: 307, sm: 290 } : 44} /> : null}
        <Unread
          what="The organization profile"
          error={profile.error}
          onRetry={() => void profile.refetch()}
        />
        {profile.data === undefined ? null : canChange ? (
          <ProfileForm saved={profile.data} />
        ) : (
          <Group gap="sm" wrap="nowrap">
            <Picture {...profile.data} />
            <Stack gap={0} miw={0}>
              <Text style={{ overflowWrap: 'anywhere' }}>{profile.data.name}</Text>
              <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {profile.data.slug}
              </Text>
            </Stack>
          </Group>
        )}
      </Stack>
    </Card>
  )
}

function Picture({ name, pictureUrl }: Pick<Profile, 'name' | 'pictureUrl'>) {
  return <Portrait imageUrl={pictureUrl} initial={name.charAt(0).toUpperCase()} />
}

function ProfileForm({ saved }: { saved: Profile }) {
  const [typed, setTyped] = useState({ ...saved, pictureUrl: saved.pictureUrl ?? '' })
  const { save, isSaving, failure } = useSave()
  const wanted = { ...typed, pictureUrl: typed.pictureUrl.trim() === '' ? null : typed.pictureUrl.trim() }
  const isUnchanged =
    wanted.name.trim() === saved.name && wanted.slug === saved.slug && wanted.pictureUrl === saved.pictureUrl
  const { form, areRight, errors } = useFieldErrors({
    name: 'a name',
    slug: 'an address',
    pictureUrl: 'a picture',
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (areRight(event.currentTarget)) save(wanted)
  }
  const field = (name: keyof typeof typed) => ({
    name,
    error: errors[name],
    value: typed[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget
      setTyped((before) => ({ ...before, [name]: value }))
    },
  })
  return (
    <form {...form} onSubmit={submit}>
      <Stack gap="sm">
        <Group gap="sm" align="flex-start" wrap="nowrap">
          <Picture {...saved} />
          <Stack gap="sm" flex={1} miw={0}>
            <TextInput label="Organization name" required maxLength={100} {...field('name')} />
            <TextInput
              label="Address"
              description="A short name for links. Lowercase letters, digits and hyphens."
              required
              maxLength={63}
              pattern="[a-z0-9]+(-[a-z0-9]+)*"
              title="Use lowercase letters, digits and single hyphens."
              {...field('slug')}
            />
            <TextInput
              label="Picture"
              description="An address that starts with https://. Leave it empty for no picture."
              type="url"
              pattern="https://.*"
              title="Enter an address that starts with https://."
              maxLength={500}
              {...field('pictureUrl')}
            />
          </Stack>
        </Group>
        <FailureText text={failure} />
        <Group>
          <StartButton type="submit" isBusy={isSaving} isOff={isUnchanged || wanted.name.trim() === ''}>
            Save
          </StartButton>
        </Group>
      </Stack>
    </form>
  )
}

function useSave() {
  const toast = useToast()
  const client = useQueryClient()
  const refreshUser = useRefreshUser()
  const save = useMutation({
    mutationFn: (wanted: Profile) => call(saveOrganizationProfile, { body: wanted }),
    onSuccess: async (profile) => {
      client.setQueryData(endpointKey(getOrganizationProfile, {}), profile)
      toast({ title: 'Organization saved' })
      await Promise.all([
        refreshUser(),
        client.invalidateQueries({ queryKey: endpointKey(listOrganizations) }),
      ])
    },
    onError: (error) =>
      toast({
        title: 'Organization could not be saved',
        description: serverText(error, 'Please try again.'),
        isError: true,
      }),
  })
  return {
    save: save.mutate,
    isSaving: save.isPending,
    failure: save.error === null ? null : serverText(save.error, 'It could not be saved. Please try again.'),
  }
}
