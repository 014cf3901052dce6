import { Anchor, Box, Button, CopyButton, Group, List, Stack, Text } from '@mantine/core'
import type { getStripeKeyGuide } from '#contract/connections.ts'
import type { ResponseOf } from '#contract/endpoint.ts'

export type StripeKeyGuidance = ResponseOf<typeof getStripeKeyGuide>

/**
 * Links to Stripe's page that makes a key with exactly the needed permissions, and lists them, because Stripe does
 * not promise to fill the page in. Undefined is a guide on its way, null one that could not be loaded.
 */
export function StripeKeyGuide({ guide }: { guide: StripeKeyGuidance | null | undefined }) {
  if (guide === null) return null
  // As high as the list, so that nothing jumps when it comes.
  if (guide === undefined) return <Box aria-busy mt="xs" h={{ base: 420, sm: 310 }} />
  const { pages, permissions } = guide
  const lines = permissions.map(({ name, isOptional }) => `${name}: Read${isOptional ? ' (optional)' : ''}`)
  return (
    <Stack gap="xs" component="section" aria-label="How to make a key" mt="xs">
      <Text size="sm">
        Make a restricted key in Stripe:{' '}
        <Anchor href={pages.live} target="_blank" rel="noreferrer" size="sm" underline="always">
          for live data
        </Anchor>{' '}
        or{' '}
        <Anchor href={pages.test} target="_blank" rel="noreferrer" size="sm" underline="always">
          for test data
        </Anchor>
        . The page opens with these permissions filled in. If it does not, choose them there, and leave all
        others at None.
      </Text>
      <List size="sm" spacing={2}>
        {permissions.map(({ name, isOptional, use }) => (
          <List.Item key={name}>
            {name}: Read
            <Text span size="sm" c="dimmed">
              {isOptional ? ' (optional)' : ''}: {use}
            </Text>
          </List.Item>
        ))}
      </List>
      <Group>
        <CopyButton value={lines.join('\n')}>
          {({ copied, copy }) => (
            <Button variant="default" size="xs" onClick={copy}>
              {copied ? 'Copied' : 'Copy the list'}
            </Button>
          )}
        </CopyButton>
      </Group>
    </Stack>
  )
}
