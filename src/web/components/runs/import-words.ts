import { unansweredText } from '#domain/provider-names.ts'
import { labelOf } from '#domain/subscription.ts'
import { counted } from '../counted.ts'

const kinds: Record<string, string> = {
  prices_active: 'Active prices',
  prices_archived: 'Archived prices',
}

/** What people call the objects of a list of Stripe: 'Invoice payments'. */
export function importKindText(kind: string): string {
  if (kinds[kind] !== undefined) return kinds[kind]
  const [first = '', ...others] = kind.split('_')
  return [labelOf(first), ...others].join(' ')
}

/** Says what an import does beside reading its lists; null while it reads them. */
export function importPhaseText({
  phase,
  message,
}: {
  phase: string | null
  message: string
}): string | null {
  if (phase === 'waiting' || message === unansweredText('payments')) return message
  if (phase === 'refreshing') return 'Reading what has changed'
  return phase === 'rebuilding' ? 'Calculating MRR' : null
}

type Imported = { totalCustomers: number; totalTransactions: number }

/** Says what an import came to, in the words of the specification; null where it found nothing. */
export function importedText({ totalCustomers, totalTransactions }: Imported): string | null {
  if (totalCustomers === 0 && totalTransactions === 0) return null
  return `Successfully imported ${counted(totalCustomers, 'customer')} and ${counted(totalTransactions, 'event')}.`
}
