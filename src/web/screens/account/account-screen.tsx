import { Anchor, Stack, Tabs, Text } from '@mantine/core'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { AddressNote } from '../../components/address/left-out-note.tsx'
import { paths } from '../../paths.ts'
import { useIsManager } from '../../queries/session.ts'
import { ActivityTab } from './activity-tab.tsx'
import { OrganizationTab } from './organization-tab.tsx'
import { PrivacyTab } from './privacy-tab.tsx'
import { ProfileTab } from './profile-tab.tsx'

/** /account-profile shows the user's own data and their organization. */
export function AccountScreen() {
  const seesActivity = useIsManager()
  const [params, setParams] = useSearchParams()
  const wanted = params.get('tab')
  const isForManagers = wanted === 'activity' || wanted === 'privacy'
  const tab = wanted === 'organization' || (isForManagers && seesActivity) ? wanted : 'profile'
  const panel = useKeptPanels(tab)
  const open = (next: string | null) =>
    setParams(next === null || next === 'profile' ? {} : { tab: next }, { replace: true })
  return (
    <Stack maw={860} mx="auto" w="100%">
      <Text c="dimmed">Manage your profile, security settings, and organization</Text>
      {isForManagers && !seesActivity ? (
        <AddressNote
          text={`Only owners and admins see ${wanted === 'activity' ? 'Activity' : 'Privacy'}. Your profile is shown instead.`}
          onRemove={() => open(null)}
        />
      ) : null}
      <Tabs value={tab} onChange={open} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="profile">Personal Profile</Tabs.Tab>
          <Tabs.Tab value="organization">Organization</Tabs.Tab>
          {seesActivity ? <Tabs.Tab value="activity">Activity</Tabs.Tab> : null}
          {seesActivity ? <Tabs.Tab value="privacy">Privacy</Tabs.Tab> : null}
        </Tabs.List>
        <Tabs.Panel {...panel('profile')}>
          <ProfileTab />
        </Tabs.Panel>
        <Tabs.Panel {...panel('organization')}>
          <OrganizationTab />
        </Tabs.Panel>
        {seesActivity ? (
          <Tabs.Panel {...panel('activity')}>
            <ActivityTab />
          </Tabs.Panel>
        ) : null}
        {seesActivity ? (
          <Tabs.Panel {...panel('privacy')}>
            <PrivacyTab />
          </Tabs.Panel>
        ) : null}
      </Tabs>
      <Text size="sm">
        <Anchor href={paths.notices} size="sm" c="dimmed" underline="always">
          Third-party notices
        </Anchor>
      </Text>
    </Stack>
  )
}

/**
 * Keeps a tab once it was opened, so that what is typed in it stays. A hidden one asks the server for nothing, and reads
 * again when it is shown.
 */
function useKeptPanels(tab: string) {
  const [opened, setOpened] = useState<readonly string[]>([])
  if (!opened.includes(tab)) setOpened([...opened, tab])
  return (value: string) => ({ value, keepMounted: opened.includes(value) })
}
