/**
 * How node is told to run a worker. An import of a million invoices needs little memory at a time, but without the first
 * three it lets garbage pile up to twice as much; the first cannot be changed once the process runs. With the other two
 * less of the processor's time goes into optimizing code that is hardly run any more: most imports are over within seconds.
 */
export const workerFlags = [
  '--min-semi-space-size=16',
  '--max-semi-space-size=16',
  '--heap-growing-percent=60',
  '--invocation-count-for-turbofan=30000',
  '--v8-pool-size=2',
]

/**
 * What the allocator of Linux is told for a worker: answers of a provider are given back to the system as soon as they are
 * done with, where left alone it learns to keep memory of their size; and threads share what is free.
 */
export const workerEnvironment = {
  MALLOC_MMAP_THRESHOLD_: '65536',
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_ARENA_MAX: '2',
}
