/** The two kinds of codes, as the person chooses between them. */
export const factors = {
  app: {
    path: '/two-factor/verify-totp',
    label: 'Code',
    description: 'The six digits that your authenticator app shows.',
    other: 'Use a recovery code instead',
  },
  recovery: {
    path: '/two-factor/verify-backup-code',
    label: 'Recovery code',
    description: 'One of the ten that you saved. Each works once.',
    other: 'Use your authenticator app instead',
  },
} as const

export type Factor = keyof typeof factors
