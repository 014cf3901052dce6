import { Alert, Button, Code, Group, SimpleGrid, Stack, Text } from '@mantine/core'

type RecoveryCodesProps = { codes: readonly string[]; email: string; onDone: () => void }

/** Shows the recovery codes, which the server tells only once. */
export function RecoveryCodes({ codes, email, onDone }: RecoveryCodesProps) {
  return (
    <Stack>
      <Alert color="yellow" title="Save these recovery codes now">
        They are shown only once. Each of them signs you in one time, when you do not have your app.
      </Alert>
      <SimpleGrid
        component="ul"
        cols={{ base: 1, xs: 2 }}
        spacing="xs"
        p={0}
        m={0}
        style={{ listStyle: 'none' }}
      >
        {codes.map((code) => (
          <li key={code}>
            <Code fz="sm">{code}</Code>
          </li>
        ))}
      </SimpleGrid>
      <Group justify="flex-end">
        <Button
          variant="default"
          component="a"
          download="tributary-recovery-codes.txt"
          href={fileOf(codes, email)}
        >
          Download
        </Button>
        <Button autoFocus onClick={onDone}>
          I have saved them
        </Button>
      </Group>
      <Text size="xs" c="dimmed">
        New codes can be made at any time; the old ones then no longer work.
      </Text>
    </Stack>
  )
}

function fileOf(codes: readonly string[], email: string): string {
  const text = [`Recovery codes of ${email} for Tributary. Each works once.`, '', ...codes, ''].join('\n')
  return `data:text/plain;charset=utf-8,${encodeURIComponent(text)}`
}
