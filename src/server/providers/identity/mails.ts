import type { Mail } from '../mail.ts'

export function verificationMail(to: string, link: string): Mail {
  return {
    to,
    subject: 'Verify your email address',
    body: 'Follow this link to verify your address and sign in to Tributary. It is valid for one hour. If you did not sign up, do nothing.',
    link,
  }
}

/** Asks the holder of the present address whether the account may move to another one. */
export function oldAddressMail(to: string, wanted: string, link: string): Mail {
  return {
    to,
    subject: 'Confirm the change of your email address',
    body: `Somebody signed in to your Tributary account asked to change its email address to ${wanted}. Follow this link to confirm. It is valid for one hour. If it was not you, do nothing and choose a new password.`,
    link,
  }
}

/** Goes out once the old address has confirmed. */
export function newAddressMail(to: string, link: string): Mail {
  return {
    to,
    subject: 'Confirm your new email address',
    body: 'Follow this link, in a browser where you are signed in to Tributary, to use this address for your account. It is valid for one hour. If you did not ask for it, do nothing.',
    link,
  }
}

export function emailChangedMail(to: string, changedTo: string, publicUrl: string): Mail {
  return {
    to,
    subject: 'Your email address was changed',
    body: `Your Tributary account now uses ${changedTo}. This address no longer signs in. If it was not you, write to an owner of your organization at once.`,
    link: `${publicUrl}/sign-in`,
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
