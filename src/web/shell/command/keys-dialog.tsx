import { Kbd, Modal, Table } from '@mantine/core'
import { places } from './places.ts'

const general: [keys: string[], what: string][] = [
  [['⌘ or Ctrl', 'K'], 'Search and commands'],
  [['/'], 'Search the list'],
  [['?'], 'This overview'],
  [['F8'], 'Go to the notification'],
]
const screens = places.flatMap(({ key, title }): typeof general =>
  key === undefined ? [] : [[['G', key.toUpperCase()], title]],
)

/** Lists the keys of the product. */
export function KeysDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Keyboard shortcuts">
      <Table aria-label="Keyboard shortcuts">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Keys</Table.Th>
            <Table.Th>What they do</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {[...general, ...screens].map(([keys, what]) => (
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
