import { Box, Table, type TableProps } from '@mantine/core'
import { useLayoutEffect, useRef, useState } from 'react'
import { fading } from '../jump-links.tsx'
import { MoreColumns } from './more-columns.tsx'
import classes from './wide-table.module.css'

type WideTableProps = TableProps & {
  /** The width in px below which the table scrolls sideways. */
  minWidth?: number
}

/**
 * A table that scrolls sideways in its box where it is wider. Where it fits, the box does not scroll, so that the heads
 * stay below the header of the page.
 */
export function WideTable({ minWidth = 0, className, ...table }: WideTableProps) {
  const box = useRef<HTMLDivElement>(null)
  const inner = useRef<HTMLTableElement>(null)
  const isWide = useIsWider(inner, box)
  return (
    <Box pos="relative" style={{ isolation: 'isolate' }}>
      <Table.ScrollContainer
        ref={box}
        minWidth={minWidth}
        type="native"
        className={`${classes['box']} ${isWide ? fading : classes['fitting']}`}
        // Positioned, so that text for screen readers scrolls with its cell and does not widen the page.
        pos="relative"
        {...(isWide ? { tabIndex: 0 } : {})}
      >
        <Table
          ref={inner}
          withTableBorder
          stickyHeader
          stickyHeaderOffset={isWide ? 0 : 'var(--heads-top)'}
          className={`${classes['table']} ${className ?? ''}`}
          {...table}
        />
      </Table.ScrollContainer>
      <MoreColumns box={box} />
    </Box>
  )
}

type Measured = { readonly current: HTMLElement | null }

/** Whether the one is wider than the other, in which it is. */
function useIsWider(inner: Measured, outer: Measured): boolean {
  const [isWider, setWider] = useState(false)
  useLayoutEffect(() => {
    const [content, box] = [inner.current, outer.current]
    if (content === null || box === null) return
    const measure = () => setWider(content.offsetWidth > box.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    for (const part of [content, box]) observer.observe(part)
    return () => observer.disconnect()
  }, [inner, outer])
  return isWider
}
