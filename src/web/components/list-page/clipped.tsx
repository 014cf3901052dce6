import type { ReactNode } from 'react'
import classes from './clipped.module.css'

/** Ends a long text of a column in an ellipsis, so that other columns stay in view. Hovering and paper show it whole. */
export function Clipped({ text, children = text }: { text: string; children?: ReactNode }) {
  return (
    // In a row, the row's own link stays above it.
    <span className={classes['clipped']} title={text} data-clipped>
      <span className={classes['text']}>{children}</span>
    </span>
  )
}
