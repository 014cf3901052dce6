import { Code, ScrollArea, Stack, Title } from '@mantine/core'

const maxHeightPx = 240

/** A value as it came over the wire. */
export function JsonPanel({ title, value }: { title: string; value: unknown }) {
  return (
    <Stack gap="xs" component="section" aria-label={title}>
      <Title order={3} size="h5">
        {title}
      </Title>
      <ScrollArea.Autosize mah={maxHeightPx}>
        <Code block>{JSON.stringify(value, null, 2)}</Code>
      </ScrollArea.Autosize>
    </Stack>
  )
}
