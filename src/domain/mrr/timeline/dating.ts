/** Why something is so, in words, and the rule that says so. */
export type Ground = { reason: string; rule: string }

/** The kinds of evidence for when a subscription changed. */
export const datings = {
  period: { reason: 'The start of the service period that first shows it', rule: 'R21' },
  start: { reason: 'The start date of the subscription, which is before it was created', rule: 'R32' },
  credit: { reason: 'The start of the unused time that was given back', rule: 'R12' },
  closing: { reason: 'The end of the last period that the item was billed for', rule: 'R14' },
  stated: {
    reason: 'The day that the subscription itself states, as no invoice shows when it changed',
    rule: 'R21',
  },
  seen: { reason: 'When the change was first seen, as nothing tells when it happened', rule: 'R21' },
  asked: { reason: 'When the cancellation was asked for', rule: 'R30' },
  ended: { reason: 'The real end of the subscription', rule: 'R18' },
  request: {
    reason: 'When the end was asked for, which is the day of the Churn by the MRR settings',
    rule: 'R18',
  },
  endSeen: { reason: 'When its end was first seen, as nothing tells when it was', rule: 'R18' },
  uncollectible: { reason: 'When an invoice was given up, after which none was issued', rule: 'R17' },
  leftDraft: {
    reason: 'The day of the first invoice that was left a draft because others were not paid',
    rule: 'R17',
  },
  notPaid: {
    reason: 'The day of the last invoice that was not paid, as nothing tells when the status changed',
    rule: 'R17',
  },
  cutOff: { reason: 'The end of the days that the MRR settings let an open invoice wait', rule: 'R17' },
  paused: { reason: 'When the subscription was paused', rule: 'R17' },
  notBilled: { reason: 'The end of the last period that was billed before the pause', rule: 'R17' },
  statusSeen: { reason: 'When the status was first seen, as nothing tells when it changed', rule: 'R17' },
  statusBefore: { reason: 'When the status changed, by what was known then', rule: 'R17' },
} as const satisfies Record<string, Ground>

export type DatedBy = keyof typeof datings
