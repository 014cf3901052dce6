import { Button } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link } from 'react-router'
import { useBackTo } from './list-address.ts'

/** Leads from a record back to where it was opened; to the list at `path` if it was opened from none. */
export function BackButton({ path }: { path: string }) {
  const { to, title, state } = useBackTo(path)
  return (
    <Button
      component={Link}
      to={to}
      state={state}
      variant="default"
      leftSection={<IconArrowLeft size={16} aria-hidden />}
    >
      Back to {title}
    </Button>
  )
}
