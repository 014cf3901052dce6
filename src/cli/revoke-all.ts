import { openProcess } from '#server/process.ts'
import { revokeAll } from '#server/work/connections/revoke-all.ts'

/** Ends all access and prints what was ended. Without the confirmation it does nothing and returns exit code 2. */
export async function revokeEverything(options: {
  isConfirmed: boolean
  atHubspot: boolean
  isKeyLost: boolean
}): Promise<number> {
  if (!options.isConfirmed) {
    process.stderr.write(
      'This signs everybody out, stops all work and destroys every stored key and token. Say --yes to do it.\n',
    )
    return 2
  }
  const { deps, close } = await openProcess({
    name: 'revoke-all',
    environment: { ...process.env, METRICS_PORT: '' },
  })
  try {
    const done = await revokeAll(deps, { atCrm: options.atHubspot, isKeyLost: options.isKeyLost })
    process.stdout.write(
      `Ended ${done.sessions} sessions, ${done.invitations} invitations, ${done.links} links, ${done.runs} runs.\n` +
        `Destroyed ${done.paymentKeys} Stripe keys and ${done.crmTokens} HubSpot tokens` +
        `${options.atHubspot ? `, ${done.revokedAtCrm} of them revoked at HubSpot` : ''}.\n`,
    )
    if (done.paymentKeys > 0)
      process.stdout.write('Stripe keys cannot be ended from here: have their owners roll them in Stripe.\n')
    const unrevoked = options.atHubspot ? done.crmTokens - done.revokedAtCrm : 0
    if (unrevoked > 0)
      process.stdout.write(
        `HubSpot did not confirm ${unrevoked}; the log names the organizations. Have their owners uninstall the app in HubSpot, or rotate the service key: a second run cannot revoke what is destroyed.\n`,
      )
    if (done.unopenedErasures > 0)
      process.stdout.write(tellOfErasures(done.unopenedErasures, options.isKeyLost))
    return unrevoked > 0 ? 1 : 0
  } finally {
    await close()
  }
}

function tellOfErasures(organizations: number, isForgotten: boolean): string {
  return isForgotten
    ? `Forgot in ${organizations} organizations how to recognize erased people: the next import brings them back, and they have to be erased again.\n`
    : `SEAL_KEYS does not open what recognizes erased people in ${organizations} organizations. Put its key back beside the new one and run ` +
        '`tributary rotate-keys`; if it is lost for good, say --key-lost.\n'
}
