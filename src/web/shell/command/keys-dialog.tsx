import { Kbd, Modal, Table, Text } from '@mantine/core'
import { useSingleKeys } from '../../components/frame/preferences.ts'
import { places } from './places.ts'

type Shortcut = { keys: string[]; what: string; isSingle?: boolean }

const general: Shortcut[] = [
  { keys: ['⌘ or Ctrl', 'K'], what: 'Search and commands' },
  { keys: ['/'], what: 'Search the list', isSingle: true },
  { keys: ['?'], what: 'This overview', isSingle: true },
  { keys: ['F8'], what: 'Go to the notification' },
]
const screens = places.flatMap(({ key, title }): Shortcut[] =>
  key === undefined ? [] : [{ keys: ['G', key.toUpperCase()], what: title, isSingle: true }],
)

/** Lists the keys of the product, as far as they are on. */
export function KeysDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [areSingleKeysOn] = useSingleKeys()
  const shown = [...general, ...screens].filter(({ isSingle = false }) => areSingleKeysOn || !isSingle)
  return (
    <Modal opened={isOpen} onClose={onClose} title="Keyboard shortcuts">
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
        <Table.Tbody>
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
      </Table>
    </Modal>
  )
}
