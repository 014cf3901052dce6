/** What one lane of a rebuild has in memory at a time, unless one customer alone has more invoices. */
const customersMax = 100
export const invoicesMax = 5_000

export type BatchSize = {
  /** How many customers are to be taken at a time. */
  size: () => number
  /** Told of every batch: how much of it was read, and whether there was no room for the rest. */
  follow: (batch: { customers: number; invoices: number; wasCut: boolean }) => void
}

/**
 * How many customers are taken at a time: after a batch for which there was no room, as many as there was room for, but no
 * fewer than half, since one customer with very many invoices says little of the others; after a small one, twice as many.
 * What there is no room for has been read in vain, and is held from others meanwhile.
 */
export function createBatchSize(): BatchSize {
  let size = customersMax
  return {
    size: () => size,
    follow: ({ customers, invoices, wasCut }) => {
      if (wasCut) size = Math.min(size, Math.max(customers, Math.floor(size / 2)))
      else if (invoices < invoicesMax / 2) size = Math.min(2 * size, customersMax)
    },
  }
}
