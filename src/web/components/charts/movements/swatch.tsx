import type { PartColor } from './movement-words.ts'
import classes from './part.module.css'

/** The box of a legend: drawn like the bars of its part. */
export function Swatch({ color, isStriped = false }: PartColor) {
  return (
    <span
      className={classes.part}
      data-striped={isStriped || undefined}
      style={{ width: 10, height: 10, borderRadius: 2, color }}
    />
  )
}
