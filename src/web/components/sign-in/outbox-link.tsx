import { Anchor } from '@mantine/core'

/** Leads to the mail of the simulated mode, in its own tab, so that the page here stays; nothing with real mail. */
export function OutboxLink({ url }: { url: string | null | undefined }) {
  if (!url) return null
  return (
    <Anchor href={url} size="sm" target="_blank" rel="noopener">
      Open the outbox
    </Anchor>
  )
}
