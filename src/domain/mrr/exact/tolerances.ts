/**
 * What one request makes, and lines of one invoice that begin together, carry the same time give or take these seconds
 * (R32, R37).
 */
export const sameRequestSeconds = 60

/** How far the end of one billing period and the start of the next may lie apart: clocks change by an hour or two. */
export const renewalDriftSeconds = 7200
