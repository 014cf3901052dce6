/** What one lane of a rebuild has in memory at a time, unless one customer alone has more invoices. */
export const customersMax = 100
export const invoicesMax = 5_000

export type Portion = {
  /** How many customers are to be taken at a time. */
  customersMax: () => number
  /** Told of every batch: how much of it was read, and whether there was no room for the rest. */
  follow: (batch: { customers: number; invoices: number; wasCut: boolean }) => void
}

/**
 * How many customers are taken at a time: as many as the batches before had room for. What there is no room for has been
 * read in vain, and is held from others meanwhile.
 */
export function createPortion(): Portion {
  let taken = customersMax
  return {
    customersMax: () => taken,
    follow: ({ customers, invoices, wasCut }) => {
      if (wasCut) taken = customers
      else if (invoices < invoicesMax / 2) taken = Math.min(2 * taken, customersMax)
    },
  }
}
