// Since June 2026 an app at HubSpot can only be made from files that HubSpot's command line uploads. Names and limits are
// those of the app configuration guide for platform version 2026.03.

import { z } from 'zod'
import type { ScopeSplit } from './scopes.ts'

export const distributions = ['private', 'marketplace'] as const
export type Distribution = (typeof distributions)[number]

/** Where HubSpot's command line looks for the two files, inside the folder of the project. */
export const appFilePaths = { project: 'hsproject.json', app: 'src/app/app-hsmeta.json' } as const

const defaultUid = 'tributary_app'
const standingApp = z.looseObject({
  uid: z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/),
  config: z.looseObject({ distribution: z.string(), auth: z.looseObject({ type: z.string() }) }),
})

/**
 * The identifier to keep when an app's file is already there, since HubSpot takes another one for another app. Throws,
 * in one sentence, if that file is of an app that cannot become this one.
 */
export function uidToKeep(standing: string | null, distribution: Distribution): string {
  if (standing === null) return defaultUid
  const parsed = standingApp.safeParse(jsonOrUndefined(standing))
  if (!parsed.success) throw new Error(`${appFilePaths.app} is no file of an app. Name another folder.`)
  const { uid, config } = parsed.data
  if (config.distribution !== distribution || config.auth.type !== 'oauth') {
    throw new Error(
      `${appFilePaths.app} is of a ${config.distribution} app with ${config.auth.type}. HubSpot fixes both at the first upload. Name another folder.`,
    )
  }
  return uid
}

/** The contents of the two files, by their path in the folder. */
export function appFiles(app: {
  uid: string
  distribution: Distribution
  redirectUrl: string
  scopes: ScopeSplit
}): Record<string, string> {
  const project = { name: 'tributary', srcDir: 'src', platformVersion: '2026.03' }
  const meta = {
    uid: app.uid,
    type: 'app',
    config: {
      name: 'Tributary',
      description:
        'Brings subscription revenue from Stripe into HubSpot: one record for each subscription and one for each change of monthly recurring revenue, on the right company and contact.',
      distribution: app.distribution,
      auth: {
        type: 'oauth',
        redirectUrls: [app.redirectUrl],
        requiredScopes: app.scopes.required,
        optionalScopes: app.scopes.optional,
        conditionallyRequiredScopes: [],
      },
      permittedUrls: { fetch: [], iframe: [], img: [] },
    },
  }
  const text = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
  return { [appFilePaths.project]: text(project), [appFilePaths.app]: text(meta) }
}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
