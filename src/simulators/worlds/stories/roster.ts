import type { Random } from '../numbers/random.ts'
import { changeStories } from './changes.ts'
import { discountStories } from './discounts.ts'
import { endingStories } from './endings.ts'
import { paymentStories } from './payments.ts'
import { plain } from './plain.ts'
import { priceStories } from './prices.ts'
import type { Story } from './stage.ts'
import { trialStories } from './trials.ts'

/** The share of customers that play a special story; the others play the ordinary one. */
const specialShare = 0.5

export const specialStories: readonly Story[] = [
  ...trialStories,
  ...changeStories,
  ...endingStories,
  ...paymentStories,
  ...discountStories,
  ...priceStories,
]

/**
 * Chooses each customer's story: those given, in turn; or, in random places, every special story once if there is
 * room, then again until half are special.
 */
export function castStories(customers: number, random: Random, only?: readonly Story[]): Story[] {
  if (only !== undefined && only.length > 0)
    return Array.from({ length: customers }, (_, index) => only[index % only.length] ?? plain)
  const wanted = Math.min(customers, Math.max(specialStories.length, Math.round(customers * specialShare)))
  const cast: Story[] = []
  while (cast.length < wanted) cast.push(...random.shuffle(specialStories).slice(0, wanted - cast.length))
  while (cast.length < customers) cast.push(plain)
  return random.shuffle(cast)
}
