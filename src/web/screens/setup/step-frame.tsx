import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link, NavigationType, useNavigationType } from 'react-router'
import { type SetupStep, stepBefore } from '#domain/setup.ts'
import { paths } from '../../paths.ts'
import { useRescuedFocus } from '../../ui/use-rescued-focus.ts'

type StepFrameProps = {
  step: SetupStep
  title: string
  text?: ReactNode
  children: ReactNode
  /** The buttons at the right of the last line, such as Continue. */
  actions: ReactNode
}

/** Shows the heading, the content and the buttons of a step, with Back when the step has one. */
export function StepFrame({ step, title, text, children, actions }: StepFrameProps) {
  const before = stepBefore(step)
  const heading = useRef<HTMLHeadingElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const next = useRef<HTMLDivElement>(null)
  const hasMovedOn = useNavigationType() !== NavigationType.Pop
  // What opened this step is gone, and the focus is on nothing, or on all of the content; the heading takes it.
  useEffect(() => {
    if (hasMovedOn && document.activeElement?.matches('body, main')) heading.current?.focus()
  }, [hasMovedOn])
  // What was pressed may be replaced by what it led to; then the way on is next, if there is one by now.
  useRescuedFocus(
    frame,
    () =>
      next.current?.querySelector<HTMLElement>('button:not(:disabled, [data-variant=default])') ??
      heading.current,
  )
  return (
    <Stack ref={frame}>
      <div>
        <Title order={3} ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
          {title}
        </Title>
        {text === undefined ? null : <Text c="dimmed">{text}</Text>}
      </div>
      {children}
      <Group justify="space-between" data-clear-of-toast>
        {before === undefined ? (
          <span />
        ) : (
          <Button component={Link} to={paths.setupStep(before)} variant="default">
            Back
          </Button>
        )}
        <Group ref={next}>{actions}</Group>
      </Group>
    </Stack>
  )
}
