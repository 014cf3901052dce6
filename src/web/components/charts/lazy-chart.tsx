import { Text } from '@mantine/core'
import { type ComponentType, lazy } from 'react'

/**
 * A chart whose code loads when it is first shown. If that fails, as it does offline, a sentence stands in its place: a
 * chart must not take the figures around it away.
 */
export function lazyChart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async (): Promise<{ default: ComponentType<Props> }> => {
    try {
      return { default: await load() }
    } catch {
      return { default: NotLoaded }
    }
  })
}

function NotLoaded() {
  return (
    <Text size="sm" c="dimmed">
      The chart could not be loaded. Reload the page.
    </Text>
  )
}
