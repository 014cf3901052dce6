import { Card, Stack, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getMatchForecast } from '#contract/lists/match-figures.ts'
import { getSyncSettings, saveSyncSettings } from '#contract/settings.ts'
import { call, endpointKey, serverText, useEndpoint } from '../../client.ts'
import { AutoCreateNote, SettingSwitch, syncSettingTexts } from '../../components/setting-switch.tsx'
import { Unread } from '../../ui/problems/unread.tsx'
import { useToast } from '../../ui/toast.tsx'

const settings = ['autoCreateContacts', 'autoCreateCompanies'] as const

/** Shows the two switches that decide what may be created in HubSpot. */
export function SyncSettingsPanel() {
  const toast = useToast()
  const client = useQueryClient()
  const saved = useEndpoint(getSyncSettings)
  const save = useMutation({
    mutationFn: (changed: { [setting in (typeof settings)[number]]?: boolean }) =>
      call(saveSyncSettings, { body: { syncSettings: changed } }),
    onSuccess: (answer) => {
      client.setQueryData(endpointKey(getSyncSettings, {}), answer)
      void client.invalidateQueries({ queryKey: endpointKey(getMatchForecast) })
      toast({ title: 'Settings updated' })
    },
    onError: (error) => {
      const description = serverText(error, 'An error occurred while updating settings.')
      toast({ title: 'Failed to update settings', description, isError: true })
    },
  })
  return (
    <Card withBorder component="section" aria-label="Sync Settings">
      <Stack gap="sm">
        <Title order={4}>Sync Settings</Title>
        <Unread what="The settings" error={saved.error} onRetry={() => void saved.refetch()} />
        {settings.map((setting) => (
          <SettingSwitch
            key={setting}
            {...syncSettingTexts[setting]}
            isOn={saved.data?.syncSettings[setting] ?? true}
            isDisabled={saved.data === undefined}
            isSaving={save.isPending}
            onChange={(isOn) => save.mutate({ [setting]: isOn })}
          />
        ))}
        <AutoCreateNote />
      </Stack>
    </Card>
  )
}
