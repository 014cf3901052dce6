import { Card, Center, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

type FormCardProps = { title: string; subtitle?: string; children: ReactNode }

/** Shows one narrow card in the middle of the page, for example before sign-in. */
export function FormCard({ title, subtitle, children }: FormCardProps) {
  return (
    <Center component="main" flex={1} p="md">
      <Card withBorder padding="xl" w="100%" maw={440}>
        <Stack>
          <div>
            <Title order={1} size="h3">
              {title}
            </Title>
            {subtitle === undefined ? null : <Text c="dimmed">{subtitle}</Text>}
          </div>
          {children}
        </Stack>
      </Card>
    </Center>
  )
}
