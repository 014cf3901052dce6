import type { Mail } from '../mail.ts'

export function verificationMail(to: string, link: string): Mail {
  return {
    to,
    subject: 'Verify your e-mail address',
    body: 'Follow this link to verify your address and sign in to Tributary. It is valid for one hour. If you did not sign up, do nothing.',
    link,
  }
}

const secondFactorDeeds = {
  second_factor_on: 'Two-factor authentication was turned on',
  second_factor_off: 'Two-factor authentication was turned off',
  recovery_codes_renewed: 'New recovery codes were made, and the old ones no longer work',
  recovery_code_used: 'A recovery code was used',
} as const

/** Tells a person of each change of the second factor, since somebody else may have made it. */
export function secondFactorMail(to: string, deed: keyof typeof secondFactorDeeds, publicUrl: string): Mail {
  const text = secondFactorDeeds[deed]
  return {
    to,
    subject: text.split(',')[0] ?? text,
    body: `${text} for your Tributary account. If it was not you, choose a new password and look at where you are signed in.`,
    link: `${publicUrl}/account-profile`,
  }
}

/** Tells the owner of an address that somebody signed up with it again. The page itself reveals nothing. */
export function alreadyRegisteredMail(to: string, link: string): Mail {
  return {
    to,
    subject: 'You already have an account',
    body: 'Somebody signed up to Tributary with this address, which has an account already. If it was you, sign in. If you did not sign up, do nothing.',
    link,
  }
}

export function passwordResetMail(to: string, link: string): Mail {
  return {
    to,
    subject: 'Choose a new password',
    body: 'Follow this link to choose a new password. It is valid for one hour. If you did not ask for it, do nothing.',
    link,
  }
}
