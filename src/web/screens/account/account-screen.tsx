import { Stack, Tabs, Text, Title } from '@mantine/core'
import { OrganizationTab } from './organization-tab.tsx'
import { ProfileTab } from './profile-tab.tsx'

/** /account-profile: the user's own data, and their organization. */
export function AccountScreen() {
  return (
    <Stack maw={860} mx="auto" w="100%">
      <div>
        <Title order={2} size="h3">
          Account Settings
        </Title>
        <Text c="dimmed">Manage your profile, security settings, and organization</Text>
      </div>
      <Tabs defaultValue="profile" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="profile">Personal Profile</Tabs.Tab>
          <Tabs.Tab value="organization">Organization</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="profile">
          <ProfileTab />
        </Tabs.Panel>
        <Tabs.Panel value="organization">
          <OrganizationTab />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  )
}
