import { Kbd } from '@mantine/core'

/** The mark of a key on the button that does the same. As text it would be read with the button, and not be in its name. */
export function KeyMark({ name }: { name: string }) {
  return <Kbd size="xs" className="for-keys" aria-hidden data-key={name} />
}
