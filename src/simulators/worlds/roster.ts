import type { Random } from './random.ts'
import { changeStories } from './stories/changes.ts'
import { discountStories } from './stories/discounts.ts'
import { endingStories } from './stories/endings.ts'
import { paymentStories } from './stories/payments.ts'
import { plain } from './stories/plain.ts'
import { priceStories } from './stories/prices.ts'
import type { Story } from './stories/stage.ts'
import { trialStories } from './stories/trials.ts'

/** Part of the customers that play a special story; the rest lead ordinary lives. */
const specialShare = 0.5

export const specialStories: readonly Story[] = [
  ...trialStories,
  ...changeStories,
  ...endingStories,
  ...paymentStories,
  ...discountStories,
  ...priceStories,
]

/** Who plays what: the stories given in turn, or, in random places, every special story once if there is room, then again until half are special. */
export function castStories(customers: number, random: Random, only?: readonly Story[]): Story[] {
  if (only !== undefined && only.length > 0)
    return Array.from({ length: customers }, (_, index) => only[index % only.length] ?? plain)
  const wanted = Math.min(customers, Math.max(specialStories.length, Math.round(customers * specialShare)))
  const cast: Story[] = []
  while (cast.length < wanted) cast.push(...random.shuffle(specialStories).slice(0, wanted - cast.length))
  while (cast.length < customers) cast.push(plain)
  return random.shuffle(cast)
}
