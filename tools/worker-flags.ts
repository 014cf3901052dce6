/**
 * Node's flags for a worker. The first three stop garbage from doubling the memory of an import of a million invoices;
 * the first cannot be set later. The other two save the optimization of code that runs only briefly.
 */
export const workerFlags = [
  '--min-semi-space-size=16',
  '--max-semi-space-size=16',
  '--heap-growing-percent=60',
  '--invocation-count-for-turbofan=30000',
  '--v8-pool-size=2',
]

/**
 * Settings for Linux's allocator in a worker: return the memory of large provider answers to the system at once, instead
 * of learning to keep it, and let threads share free memory.
 */
export const workerEnvironment = {
  MALLOC_MMAP_THRESHOLD_: '65536',
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_ARENA_MAX: '2',
}
