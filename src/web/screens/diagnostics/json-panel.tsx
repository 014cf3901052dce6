import { Code, ScrollArea, Stack, Title } from '@mantine/core'

const maxHeightPx = 240

/** Shows a value exactly as the server sent it. */
export function JsonPanel({ title, value }: { title: string; value: unknown }) {
  return (
    <Stack gap="xs" component="section" aria-label={title}>
      <Title order={2} size="h5">
        {title}
      </Title>
      <ScrollArea.Autosize mah={maxHeightPx}>
        <Code block>{JSON.stringify(value, null, 2)}</Code>
      </ScrollArea.Autosize>
    </Stack>
  )
}
