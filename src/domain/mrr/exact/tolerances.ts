/**
 * Objects made by one request, and lines of one invoice that begin together, may differ by this many seconds (R32, R37).
 */
export const sameRequestSeconds = 60

/**
 * How far the end of one billing period and the start of the next may differ: clock changes move them by an hour or two.
 */
export const renewalDriftSeconds = 7200
