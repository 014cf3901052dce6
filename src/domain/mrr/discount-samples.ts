import type { Charge } from './evidence.ts'

/** What each discount that stood alone took off a line that is no proration: the largest such line, by discount id. */
export function discountSamplesOf(
  charges: readonly Charge[],
): Map<string, { amountCents: number; discountCents: number }> {
  const samples = new Map<string, { amountCents: number; discountCents: number }>()
  for (const { isProration, discountIds, amountCents, discountCents } of charges) {
    const [id] = discountIds
    if (isProration || id === undefined || discountIds.length > 1) continue
    if ((samples.get(id)?.amountCents ?? 0) < amountCents) samples.set(id, { amountCents, discountCents })
  }
  return samples
}
