import { Center, Loader } from '@mantine/core'

/** Fills the place of content that is still loading. */
export function PageSpinner({ label = 'Loading' }: { label?: string }) {
  return (
    <Center mih="40vh" role="status" aria-label={label}>
      <Loader />
    </Center>
  )
}
