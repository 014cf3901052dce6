import { Group, Text } from '@mantine/core'
import { productName } from '../paths.ts'

/** Shows the mark of the product with its name. */
export function Mark() {
  return (
    <Group gap="xs" wrap="nowrap" component="span">
      <Logo />
      <Text span fw={700} fz="lg">
        {productName}
      </Text>
    </Group>
  )
}

/** Two streams that become one. The file beside it is the same picture for the browser's tab. */
function Logo() {
  return (
    <svg width="28" height="28" viewBox="0 0 32 32" fill="none" aria-hidden style={{ flexShrink: 0 }}>
      <rect width="32" height="32" rx="8" fill="#0b7285" />
      <path d="M8 7c0 8 8 7 8 14v5" stroke="#fff" strokeWidth="3.5" strokeLinecap="round" />
      <path d="M24 7c0 8-8 7-8 14" stroke="#66d9e8" strokeWidth="3.5" strokeLinecap="round" />
    </svg>
  )
}
