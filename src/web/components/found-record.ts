import type { SearchHit } from '#contract/lists/search.ts'
import { paths } from '../paths.ts'

/** The screen that shows a found record; an invoice is marked there. */
export function pathOfFound({ kind, id, opens }: SearchHit): string {
  const path = opens.kind === 'customer' ? paths.customer(opens.id) : paths.subscription(opens.id)
  return kind === 'invoice' ? `${path}?${new URLSearchParams({ invoice: id })}` : path
}
