import { Center, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

type MessagePageProps = {
  title: string
  text?: string
  /** 1 when no header above has a title. */
  order?: 1 | 2
  children?: ReactNode
}

/** Shows only a message and the possible actions. */
export function MessagePage({ title, text, order = 2, children }: MessagePageProps) {
  return (
    <Center mih="50vh" p="md">
      <Stack align="center" gap="md" maw={480}>
        <Title order={order} size="h2" ta="center">
          {title}
        </Title>
        {text === undefined ? null : (
          <Text c="dimmed" ta="center" style={{ overflowWrap: 'anywhere' }}>
            {text}
          </Text>
        )}
        {children}
      </Stack>
    </Center>
  )
}
