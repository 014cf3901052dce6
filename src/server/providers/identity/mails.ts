import type { Mail } from '../mail.ts'

export function verificationMail(to: string, link: string): Mail {
  return {
    to,
    subject: 'Verify your e-mail address',
    body: 'Follow this link to verify your address and sign in to Tributary. It is valid for one hour. If you did not sign up, do nothing.',
    link,
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
