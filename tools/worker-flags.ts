/**
 * How node is told to run a worker: an import of a million invoices needs little at a time, but without these it lets
 * garbage pile up to twice the memory. The first cannot be changed once the process runs.
 */
export const workerFlags = [
  '--min-semi-space-size=16',
  '--max-semi-space-size=16',
  '--heap-growing-percent=60',
]

/**
 * What the allocator of Linux is told for a worker: answers of a provider are given back to the system as soon as they are
 * done with. Left alone it learns to keep memory of their size.
 */
export const workerEnvironment = { MALLOC_MMAP_THRESHOLD_: '65536', MALLOC_TRIM_THRESHOLD_: '131072' }
