import { Alert, Anchor } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { Link } from 'react-router'
import { counted } from '../components/counted.ts'
import { paths } from '../paths.ts'
import { useCurrentUser } from '../queries/session.ts'

/** Tells owners and admins on every screen that figures changed, until one of them has read the report. */
export function RecountBanner() {
  const { data: user } = useCurrentUser()
  const unread = user?.unreadRecount
  if (!unread) return null
  const { monthCount, customerCount, hubspotRecordCount } = unread
  const changed = [
    counted(monthCount, 'month'),
    counted(customerCount, 'customer'),
    counted(hubspotRecordCount, 'HubSpot record'),
  ]
  return (
    <Alert
      component="aside"
      aria-label="Figures have changed"
      role="note"
      color="blue"
      py="xs"
      icon={<IconHistory size={18} aria-hidden />}
    >
      MRR was recounted because its rules changed. Other figures: {changed.join(', ')}.{' '}
      <Anchor component={Link} to={paths.recount(unread.recountId)} size="sm" underline="always">
        See what changed
      </Anchor>
    </Alert>
  )
}
