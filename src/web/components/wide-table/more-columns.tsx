import { ActionIcon } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { type RefObject, useLayoutEffect, useState } from 'react'

/**
 * Says over the heads of a table that columns follow at the right, and leads to them. It is for the eye and the pointer:
 * the keyboard scrolls the box itself, and a screen reader reads every cell.
 */
export function MoreColumns({ box }: { box: RefObject<HTMLElement | null> }) {
  const hasMore = useHasMore(box)
  if (!hasMore) return null
  return (
    <ActionIcon
      variant="filled"
      size={24}
      radius="xl"
      className="not-printed"
      pos="absolute"
      top={6}
      right={-10}
      style={{ zIndex: 3 }}
      aria-hidden
      tabIndex={-1}
      title="More columns at the right"
      onClick={() => box.current?.scrollBy({ left: box.current.clientWidth / 2 })}
    >
      <IconChevronRight size={16} aria-hidden />
    </ActionIcon>
  )
}

/** Whether the box, which scrolls sideways, goes on at its right. */
function useHasMore(box: RefObject<HTMLElement | null>): boolean {
  const [hasMore, setMore] = useState(false)
  useLayoutEffect(() => {
    const found = box.current
    if (found === null) return
    const measure = () => setMore(found.scrollWidth - found.clientWidth - found.scrollLeft > 1)
    measure()
    const observer = new ResizeObserver(measure)
    for (const part of [found, ...found.children]) observer.observe(part)
    found.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      found.removeEventListener('scroll', measure)
    }
  }, [box])
  return hasMore
}
