export type Box = { left: number; right: number; top: number; bottom: number }

/** The toast never rises above this share of the window: there it would cover more than it clears. */
const highestShare = 0.6

/**
 * How many pixels a box at the bottom of the window has to rise so that it covers none of the others; 0 where it would rise
 * too far.
 */
export function liftAbove(box: Box, others: readonly Box[], windowHeight: number): number {
  let lift = 0
  // From the lowest up, since each step may reach the next one.
  for (const other of others.toSorted((a, b) => b.bottom - a.bottom)) {
    const isBeside = other.right <= box.left || other.left >= box.right
    const isApart = other.bottom <= box.top - lift || other.top >= box.bottom - lift
    if (!isBeside && !isApart) lift = box.bottom - other.top
  }
  return lift > windowHeight * highestShare ? 0 : lift
}
