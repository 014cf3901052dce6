import { Button, Group, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { type SetupStep, stepBefore } from '#domain/setup.ts'
import { paths } from '../../paths.ts'

type StepFrameProps = {
  step: SetupStep
  title: string
  text?: ReactNode
  children: ReactNode
  /** What stands at the right of the last line, as Continue. */
  actions: ReactNode
}

/** Heading, content and the line of buttons of a step; Back where the step has one. */
export function StepFrame({ step, title, text, children, actions }: StepFrameProps) {
  const before = stepBefore(step)
  return (
    <Stack>
      <div>
        <Title order={3}>{title}</Title>
        {text === undefined ? null : <Text c="dimmed">{text}</Text>}
      </div>
      {children}
      <Group justify="space-between">
        {before === undefined ? (
          <span />
        ) : (
          <Button component={Link} to={paths.setupStep(before)} variant="default">
            Back
          </Button>
        )}
        <Group>{actions}</Group>
      </Group>
    </Stack>
  )
}
