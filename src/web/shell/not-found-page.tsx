import { Button, Group } from '@mantine/core'
import { Link, useLocation, useOutletContext } from 'react-router'
import { listOf, paths, productName, titleOf } from '../paths.ts'
import { MessagePage } from '../ui/message-page.tsx'
import type { ShellContext } from './command/use-commands.tsx'

export const notFoundTitle = 'Page Not Found'

/** Says so to those who are not signed in. */
export function NotFoundPage() {
  return (
    <main>
      <title>{`${notFoundTitle} · ${productName}`}</title>
      <MessagePage order={1} title={notFoundTitle} text="There is nothing at this address.">
        <BackToDashboard />
      </MessagePage>
    </main>
  )
}

/** Says so within the frame, whose header has the title. */
export function NotFoundScreen() {
  const { pathname } = useLocation()
  const { openMenu } = useOutletContext<ShellContext>()
  const list = listOf(pathname)
  return (
    <MessagePage
      title="There is nothing at this address"
      text={`No screen is called ${pathname}. The address may have a typing error, or be cut off. Search finds customers, subscriptions and invoices by name, email, number or ID.`}
    >
      <Group justify="center">
        <BackToDashboard />
        {list === undefined ? null : (
          <Button component={Link} to={list} variant="default">
            Open {titleOf(list)}
          </Button>
        )}
        <Button variant="default" onClick={openMenu}>
          Search
        </Button>
      </Group>
    </MessagePage>
  )
}

function BackToDashboard() {
  return (
    <Button component={Link} to={paths.dashboard}>
      Back to Dashboard
    </Button>
  )
}
