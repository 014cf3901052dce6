import { Button } from '@mantine/core'
import { useEffect } from 'react'
import { useRouteError } from 'react-router'
import { logProblem } from '../ui/log-problem.ts'
import { MessagePage } from '../ui/message-page.tsx'

/** Takes the place of a screen that broke, so that the rest of the app stays usable. */
export function ErrorPage() {
  const error = useRouteError()
  useEffect(() => logProblem('A screen broke', error), [error])
  return (
    <MessagePage
      title="Something went wrong"
      text="This screen could not be shown. Reloading usually helps, above all after an update."
    >
      <Button onClick={() => window.location.reload()}>Reload</Button>
    </MessagePage>
  )
}
