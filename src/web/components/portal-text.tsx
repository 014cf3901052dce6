import { Group, Text } from '@mantine/core'

type PortalTextProps = { portalId: string; portalDomain: string | null }

/** Names a HubSpot portal by its number and, where HubSpot tells it, by its domain. */
export function PortalText({ portalId, portalDomain }: PortalTextProps) {
  return (
    <Group gap="xs">
      <Text size="sm">Portal {portalId}</Text>
      {portalDomain === null ? null : (
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {portalDomain}
        </Text>
      )}
    </Group>
  )
}
