import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { paths, productName } from '../paths.ts'
import { MessagePage } from '../ui/message-page.tsx'

export function NotFoundPage() {
  return (
    <main>
      <title>{`Page Not Found · ${productName}`}</title>
      <MessagePage order={1} title="Page Not Found" text="There is nothing at this address.">
        <Button component={Link} to={paths.dashboard}>
          Back to Dashboard
        </Button>
      </MessagePage>
    </main>
  )
}
