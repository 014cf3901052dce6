import { Button } from '@mantine/core'
import { Link, useLocation } from 'react-router'
import { paths, titleOf } from '../../paths.ts'
import { MessagePage } from '../../ui/message-page.tsx'

/** Stands where a screen is announced but not there yet. */
export function UnavailableScreen() {
  const { pathname } = useLocation()
  return (
    <MessagePage title="Not available yet" text={`${titleOf(pathname)} is not available yet.`}>
      <Button component={Link} to={paths.dashboard}>
        Back to Dashboard
      </Button>
    </MessagePage>
  )
}
