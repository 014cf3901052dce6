/** Bounds the memory of one lane of a rebuild; a single customer may have more invoices. */
const customersMax = 100
export const invoicesMax = 5_000

export type BatchSize = {
  /** The number of customers to take in the next batch. */
  size: () => number
  /** Receives the size of every batch, and whether it left out customers that did not fit. */
  follow: (batch: { customers: number; invoices: number; wasCut: boolean }) => void
}

/**
 * Adapts the number of customers per batch: at most halves it if customers did not fit, doubles it after a
 * small batch. Rows beyond the limit were read for nothing and stay locked until the batch ends.
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
