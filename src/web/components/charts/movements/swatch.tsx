import { type MovementColor, movementStripes } from './movement-words.ts'

/** The box of a legend: the color of a kind of movement, with stripes where its bars have them. */
export function Swatch({ color, isStriped = false }: MovementColor) {
  const plain = color.startsWith('var(') ? color : `var(--mantine-color-${color.replace('.', '-')})`
  const background = isStriped ? `${movementStripes}, ${plain}` : plain
  return <span style={{ width: 10, height: 10, borderRadius: 2, background }} />
}
