import type { ReactNode } from 'react'
import classes from './clipped.module.css'

type ClippedProps = {
  text: string
  children?: ReactNode
  /** Cuts the beginning, for a number whose last digits tell it from the next. */
  keepsEnd?: boolean
}

/** Cuts a long text of a column with an ellipsis, so that other columns stay in view. Hovering and paper show it whole. */
export function Clipped({ text, children = text, keepsEnd = false }: ClippedProps) {
  return (
    // In a row, the row's own link stays above it.
    <span className={classes['clipped']} title={text} data-clipped>
      <span className={classes['text']} data-keeps-end={keepsEnd || undefined}>
        <bdi dir="ltr">{children}</bdi>
      </span>
    </span>
  )
}
