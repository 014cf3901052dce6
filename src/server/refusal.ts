import { type ErrorCode, errorStatuses } from '#contract/errors.ts'

/** What the product refuses, in words for the person who asked. Any other thrown error is a bug and a 500. */
export class Refusal extends Error {
  readonly code: ErrorCode
  /** The number of seconds after which another try makes sense. */
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, message: string, retryAfterSeconds?: number) {
    super(message)
    this.name = 'Refusal'
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
  }

  get status(): (typeof errorStatuses)[ErrorCode] {
    return errorStatuses[this.code]
  }
}

/** A waiting time in words: '90 seconds', '15 minutes', '24 hours'. */
export function waitInWords(seconds: number): string {
  const [minute, hour] = [60, 3_600]
  if (seconds < 2 * minute) return `${seconds} seconds`
  return seconds < 2 * hour ? `${Math.ceil(seconds / minute)} minutes` : `${Math.ceil(seconds / hour)} hours`
}
