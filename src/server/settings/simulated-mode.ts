/** The owner of the demo workspace, whom `npm start` signs up. */
export const demoEmail = 'robin@harbour.example'

type Providers = {
  smtpUrl: string | null
  hubspot: { isSimulated: boolean }
  stripe: { isSimulated: boolean }
}

/**
 * Whether nothing is real: providers are simulated and mail stays in the database. Only then may a visitor read all
 * mail, or enter the demo workspace without a password.
 */
export function isSimulatedMode({ smtpUrl, hubspot, stripe }: Providers): boolean {
  return smtpUrl === null && hubspot.isSimulated && stripe.isSimulated
}
