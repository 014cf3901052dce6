import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import { usePageName } from '../components/frame/page-name.tsx'
import { useBackTo } from '../components/list-page/list-address.ts'

/** Shows to which list a record belongs. The link leads back to the list's filter, order and page. */
export function Breadcrumb({ list }: { list: { title: string; path: string } }) {
  const to = useBackTo(list.path)
  const name = usePageName()
  return (
    <nav aria-label="Breadcrumb">
      <Text size="xs" c="dimmed" truncate>
        <Anchor component={Link} to={to} inherit c="inherit" underline="always">
          {list.title}
        </Anchor>
        {name === null ? null : ' / '}
        {name === null ? null : <span aria-current="page">{name}</span>}
      </Text>
    </nav>
  )
}
