import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import { usePageName } from '../components/frame/page-name.tsx'
import { useBackTo } from '../components/list-page/list-address.ts'

/** Shows the list or record that a record was opened from. The link leads back to the list's filter, order and page. */
export function Breadcrumb({ path }: { path: string }) {
  const { to, title, state } = useBackTo(path)
  const name = usePageName()
  return (
    <nav aria-label="Breadcrumb">
      <Text size="xs" c="dimmed" truncate>
        <Anchor component={Link} to={to} state={state} inherit c="inherit" underline="always">
          {title}
        </Anchor>
        {name === null ? null : ' / '}
        {name === null ? null : <span aria-current="page">{name}</span>}
      </Text>
    </nav>
  )
}
