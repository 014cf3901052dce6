import { Kbd, Table, Text } from '@mantine/core'
import { useLocation } from 'react-router'
import { reviewKeys } from '../../components/customers/review-keys.ts'
import { useSingleKeys } from '../../components/frame/preferences.ts'
import { paths } from '../../paths.ts'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { places } from './places.ts'

type Shortcut = { keys: string[]; what: string; isSingle?: boolean }

const general: Shortcut[] = [
  { keys: ['⌘ or Ctrl', 'K'], what: 'Search and commands' },
  { keys: ['/'], what: 'Search the list', isSingle: true },
  { keys: ['↓'], what: 'From the search to the first row' },
  { keys: ['J'], what: 'Next row of the list', isSingle: true },
  { keys: ['K'], what: 'Row before', isSingle: true },
  { keys: ['?'], what: 'This overview', isSingle: true },
  { keys: ['F8'], what: 'Go to the notification' },
]
const inReview = Object.values(reviewKeys).map(
  ({ key, what }): Shortcut => ({ keys: [key], what, isSingle: true }),
)
const screens = places.flatMap(({ key, title }): Shortcut[] =>
  key === undefined ? [] : [{ keys: ['G', key.toUpperCase()], what: title, isSingle: true }],
)

/** Lists the keys of the product, as far as they are on. */
export function KeysDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [areSingleKeysOn] = useSingleKeys()
  const isInReview = useLocation().pathname === paths.matchReview
  const ofReview = areSingleKeysOn ? <Shortcuts of={inReview} title="In Match Review" /> : null
  return (
    <Dialog opened={isOpen} onClose={onClose} title="Keyboard shortcuts">
      <Text size="sm" c="dimmed" mb="xs">
        {areSingleKeysOn
          ? 'Single-key shortcuts can be turned off in the menu of your account.'
          : 'Single-key shortcuts are off. Turn them on in the menu of your account.'}
      </Text>
      <Table aria-label="Keyboard shortcuts">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Keys</Table.Th>
            <Table.Th>What they do</Table.Th>
          </Table.Tr>
        </Table.Thead>
        {/* The keys of the screen that a person is on come first. */}
        {isInReview ? ofReview : null}
        <Shortcuts of={[...general, ...screens]} {...(isInReview && { title: 'Everywhere' })} />
        {isInReview ? null : ofReview}
      </Table>
    </Dialog>
  )
}

/** A group of keys; its title says where they count, if not everywhere. */
function Shortcuts({ of, title }: { of: readonly Shortcut[]; title?: string }) {
  const [areSingleKeysOn] = useSingleKeys()
  const shown = of.filter(({ isSingle = false }) => areSingleKeysOn || !isSingle)
  return (
    <Table.Tbody aria-label={title}>
      {title === undefined ? null : (
        <Table.Tr>
          <Table.Th colSpan={2} scope="rowgroup">
            {title}
          </Table.Th>
        </Table.Tr>
      )}
      {shown.map(({ keys, what }) => (
        <Table.Tr key={what}>
          <Table.Td style={{ whiteSpace: 'nowrap' }}>
            {keys.map((key, at) => (
              <span key={key}>
                {at === 0 ? null : ' '}
                <Kbd>{key}</Kbd>
              </span>
            ))}
          </Table.Td>
          <Table.Td>{what}</Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  )
}
