import type { Config } from '#server/config.ts'
import { redirectProblem } from '#server/providers/hubspot/app/redirect.ts'
import { findDiscoveryProblem } from '#server/providers/identity/find-discovery-problem.ts'
import { createSmtp } from '#server/providers/smtp/create-smtp.ts'
import { type Symptom, symptomsOf } from './symptom.ts'

const redirect = symptomsOf('redirect address')
const mail = symptomsOf('mail')
const identity = symptomsOf('identity provider')

/** The address to which HubSpot sends people back, as the app's file has to name it. */
export function lookAtRedirect({ hubspot, publicUrl }: Config): Symptom {
  if (hubspot.clientId === null) return redirect.ok('not needed: HubSpot is connected by service keys')
  if (hubspot.isSimulated) return redirect.ok('not needed: HubSpot is simulated')
  const problem = redirectProblem(publicUrl)
  if (problem === null) return redirect.ok(`${hubspot.redirectUrl}, as the app's file must name it`)
  return (problem.isRefused ? redirect.wrong : redirect.warning)(problem.text)
}

/** Signs in at the mail server, and sends nothing. */
export async function lookAtMail(config: Config): Promise<Symptom> {
  const server = createSmtp(config)
  if (server === null) {
    return config.hubspot.isSimulated
      ? mail.ok('not sent: it can be read on /outbox')
      : mail.warning('SMTP_URL is not set: nobody gets invitations and notices')
  }
  const code = await server.check()
  if (code === null) return mail.ok('the mail server lets Tributary in')
  return mail.wrong(`the mail server does not let Tributary in (${code}): correct SMTP_URL`)
}

/** Reads the discovery document of the hosted provider. Its secret shows only when somebody signs in. */
export async function lookAtIdentity({ oidc, publicUrl }: Config): Promise<Symptom> {
  if (oidc === null) return identity.ok('none: people sign in with passwords of their own')
  const problem = await findDiscoveryProblem(oidc)
  if (problem !== null) return identity.wrong(problem)
  return identity.ok(`it answers; it must know ${publicUrl}/api/identity/callback/oidc`)
}
