/**
 * How node is told to run a worker: an import of a million invoices needs little at a time, but without these it lets
 * garbage pile up to twice the memory. The first cannot be changed once the process runs.
 */
export const workerFlags = [
  '--min-semi-space-size=16',
  '--max-semi-space-size=16',
  '--heap-growing-percent=60',
]
