import type { Books } from '../model/books.ts'
import type { DraftLine } from '../model/subscription.ts'
import { dateInWords } from '../time/calendar.ts'

/**
 * Gives a prorated line a description that does not reveal its kind: drafts can be edited, invoices are translated,
 * and older credits do not name what they credit.
 * Sources: docs.stripe.com/api/invoiceitems/update; docs.stripe.com/invoicing/customize; docs.stripe.com/changelog,
 * endive.
 */
export function putInOwnWords(books: Books, line: DraftLine): void {
  const { name } = line.price.product
  const on = `${line.quantity} × ${name}`
  line.description = books.lots.pick([
    name,
    `${on}, as agreed by phone`,
    line.isCredit
      ? `Nicht genutzte Zeit auf ${on} nach dem ${dateInWords(line.start)}`
      : `Verbleibende Zeit auf ${on} nach dem ${dateInWords(line.start)}`,
  ])
  line.credited = null
}
