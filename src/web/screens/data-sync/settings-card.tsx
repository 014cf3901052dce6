import { Anchor, Card, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { getFreshness } from '#contract/imports.ts'
import { getMatchForecast } from '#contract/lists/match-figures.ts'
import { getSyncSettings, saveSyncSettings } from '#contract/settings.ts'
import { getAutoSync, setAutoSync } from '#contract/setup.ts'
import { getSyncState } from '#contract/sync.ts'
import { lookEverySeconds } from '#domain/freshness.ts'
import { call, endpointKey, serverText, useEndpoint } from '../../client.ts'
import { ManagersNote } from '../../components/managers-note.tsx'
import { AutoCreateNote, SettingSwitch, syncSettingTexts } from '../../components/setting-switch.tsx'
import { paths } from '../../paths.ts'
import { freshMs } from '../../queries/freshness.ts'
import { useRefusedProviders } from '../../queries/refused-providers.ts'
import { useCurrentUser, useIsManager, useSyncCondition } from '../../queries/session.ts'
import { Unread } from '../../ui/problems/unread.tsx'
import { Ago, Ahead } from '../../ui/time/instant.tsx'
import { useToast } from '../../ui/toast.tsx'

const settings = ['autoCreateContacts', 'autoCreateCompanies'] as const
type Setting = (typeof settings)[number]

const failedTitles: Record<Setting, string> = {
  autoCreateContacts: 'Failed to update contact setting',
  autoCreateCompanies: 'Failed to update company setting',
}

/** Sets what a push may create, and whether it runs by itself. */
export function SettingsCard() {
  const saved = useEndpoint(getSyncSettings)
  const isManager = useIsManager()
  return (
    <Card withBorder component="section" aria-label="Sync Settings">
      <Stack gap="sm">
        <Title order={3} size="h5">
          Sync Settings
        </Title>
        <Unread what="The settings" error={saved.error} onRetry={() => void saved.refetch()} />
        {settings.map((setting) => (
          <CreateSwitch key={setting} setting={setting} />
        ))}
        <AutoCreateNote />
        <AutoSyncSwitch />
        <PausedNote />
        <OffNote />
        <NextRun />
        {isManager ? null : <ManagersNote what="change these settings" />}
      </Stack>
    </Card>
  )
}

/** Says why nothing runs by itself although it is switched on. */
function PausedNote() {
  const isOn = useEndpoint(getAutoSync).data?.autoSyncEnabled === true
  const isSetUp = useCurrentUser().data?.setupComplete !== false
  if (!isOn || isSetUp) return null
  return (
    <Text size="sm">
      Automatic sync is paused because the setup is not finished.{' '}
      <Anchor component={Link} to={paths.setup} size="sm" underline="always">
        Finish the setup
      </Anchor>
    </Text>
  )
}

/** Says what still happens while automatic sync is switched off. */
function OffNote() {
  const freshness = useEndpoint(getFreshness, {}, { staleTime: freshMs.records }).data
  if (useEndpoint(getAutoSync).data?.autoSyncEnabled !== false) return null
  return (
    <Text size="sm">
      Automatic sync is off. Records in HubSpot change only when somebody starts a sync. Stripe is read{' '}
      {freshness?.readsChanges === false
        ? 'only when somebody starts an import.'
        : 'when somebody starts an import, and when it sends a webhook.'}
    </Text>
  )
}

/** Says how soon a change is found, and when the schedule starts the next run without one, or what that waits for. */
function NextRun() {
  const { data } = useEndpoint(getFreshness, {}, { staleTime: freshMs.records })
  const isOn = useEndpoint(getAutoSync).data?.autoSyncEnabled === true
  const isRefused = useRefusedProviders().length > 0
  const condition = useSyncCondition()
  const follow = condition === '' ? ', and syncs them to HubSpot at once' : `. HubSpot follows${condition}`
  if (isOn && isRefused) return <Text size="sm">Automatic sync waits for a new connection.</Text>
  if (!data?.nextRunAt) return null
  if (data.trouble !== null) return <Trouble {...data} trouble={data.trouble} nextRunAt={data.nextRunAt} />
  return (
    <Text size="sm" c="dimmed">
      {data.readsChanges
        ? `Looks for changes in Stripe every ${lookEverySeconds / 60} min${follow}.`
        : 'The Stripe key may not read Events, so changes wait for the next automatic run, which reads everything.'}
      <br />
      Next automatic run, also without changes: <Ahead at={data.nextRunAt} />
    </Text>
  )
}

type TroubleProps = {
  trouble: { cause: 'waits' | 'failed' | 'silent'; reason: string | null }
  freshAsOf: string | null
  nextRunAt: string
}

/** Says why changes are not read as often as they should be. No run is promised where none has begun for long. */
function Trouble({ trouble: { cause, reason }, freshAsOf, nextRunAt }: TroubleProps) {
  if (cause === 'silent')
    return (
      <Text size="sm">
        Stripe was last read {freshAsOf === null ? null : <Ago at={freshAsOf} />}, and no automatic run has
        begun since, as where no worker runs. If this lasts, tell whoever runs this installation.
      </Text>
    )
  return (
    <Text size="sm">
      {cause === 'waits'
        ? `Changes in Stripe wait. ${reason ?? ''}`
        : 'The last import failed, so changes wait.'}
      <br />
      Next automatic run: <Ahead at={nextRunAt} />
    </Text>
  )
}

function CreateSwitch({ setting }: { setting: Setting }) {
  const toast = useToast()
  const client = useQueryClient()
  const isManager = useIsManager()
  const saved = useEndpoint(getSyncSettings)
  const save = useMutation({
    mutationFn: (isOn: boolean) => call(saveSyncSettings, { body: { syncSettings: { [setting]: isOn } } }),
    onSuccess: (answer) => {
      client.setQueryData(endpointKey(getSyncSettings, {}), answer)
      void client.invalidateQueries({ queryKey: endpointKey(getMatchForecast) })
      toast({ title: 'Settings updated' })
    },
    onError: (error) => {
      const description = serverText(error, 'An error occurred while updating the setting.')
      toast({ title: failedTitles[setting], description, isError: true })
    },
  })
  const isOn = saved.data?.syncSettings[setting] ?? true
  return (
    <SettingSwitch
      {...syncSettingTexts[setting]}
      // The new value shows while it is being saved; after a failure the old one shows again.
      isOn={save.isPending ? save.variables : isOn}
      isDisabled={!isManager || saved.data === undefined}
      isSaving={save.isPending}
      onChange={(wanted) => save.mutate(wanted)}
    />
  )
}

function AutoSyncSwitch() {
  const toast = useToast()
  const client = useQueryClient()
  const isManager = useIsManager()
  const saved = useEndpoint(getAutoSync)
  const save = useMutation({
    mutationFn: (enabled: boolean) => call(setAutoSync, { body: { enabled } }),
    onSuccess: ({ autoSyncEnabled }) => {
      client.setQueryData(endpointKey(getAutoSync, {}), { autoSyncEnabled })
      void client.invalidateQueries({ queryKey: endpointKey(getFreshness) })
      void client.invalidateQueries({ queryKey: endpointKey(getSyncState) })
      toast({ title: 'Settings updated' })
    },
    onError: (error) => {
      const description = serverText(error, 'An error occurred while updating auto-sync.')
      toast({ title: 'Failed to update auto-sync', description, isError: true })
    },
  })
  return (
    <SettingSwitch
      label="Automatic HubSpot Sync"
      description="Imports from Stripe and syncs to HubSpot on a schedule."
      isOn={save.isPending ? save.variables : (saved.data?.autoSyncEnabled ?? true)}
      isDisabled={!isManager || saved.data === undefined}
      isSaving={save.isPending}
      onChange={(wanted) => save.mutate(wanted)}
    />
  )
}
