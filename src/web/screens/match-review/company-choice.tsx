import { Button, Card, Group, Stack, Text } from '@mantine/core'
import { CompanyName } from '../../components/company-name.tsx'

type CompanyChoiceProps = {
  name: string | null
  link: string | null
  note: string
  label: string
  isBusy: boolean
  onChoose: () => void
}

/** Shows a company that the customer can be attached to, with the known facts. */
export function CompanyChoice({ name, link, note, label, isBusy, onChoose }: CompanyChoiceProps) {
  return (
    <Card withBorder padding="xs">
      <Group justify="space-between" wrap="nowrap">
        <Stack gap={2} miw={0}>
          <Text size="sm" component="div">
            <CompanyName name={name} link={link} />
          </Text>
          {note === '' ? null : (
            <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {note}
            </Text>
          )}
        </Stack>
        <Button
          size="xs"
          variant="default"
          disabled={isBusy}
          aria-label={`${label} ${name ?? 'this company'}`}
          onClick={onChoose}
          style={{ flexShrink: 0 }}
        >
          {label}
        </Button>
      </Group>
    </Card>
  )
}
