import type { TestProject } from 'vitest/node'
import { takeLeaks } from '#test/leaks.ts'
import { fillDemo } from '../tools/demo.ts'
import { lookingOperatorEmail } from './visitors.ts'
import { openWorld } from './world.ts'

/** The operator's address in OPERATOR_EMAILS of the shared world. */
export const operatorEmail = 'ops@operators.example'

/** The addresses of the shared world's parts. */
export type SharedWorld = { address: string; stripeUrl: string; hubspotUrl: string; superuserUrl: string }

declare module 'vitest' {
  interface ProvidedContext {
    sharedWorld: SharedWorld
  }
}

/** One whole product with a small demo organization, imported and pushed, for all screen tests. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const world = await openWorld({
    addresses: project.getProvidedContext(),
    simulatorArgs: ['--customers=90'],
    environment: {
      OPERATOR_EMAILS: `${operatorEmail},${lookingOperatorEmail}`,
      // Each file uses a network of its own.
      TRUSTED_PROXIES: '127.0.0.1,::1',
    },
  })
  const { address, stripeUrl, hubspotUrl, superuserUrl } = world.product
  await fillDemo({ address, say: () => {} })
  project.provide('sharedWorld', {
    address,
    stripeUrl: stripeUrl ?? '',
    hubspotUrl: hubspotUrl ?? '',
    superuserUrl,
  })
  return async () => {
    await world.close()
    const leaks = takeLeaks()
    if (leaks.length > 0) throw new Error(`secrets outside their place: ${leaks.join(', ')}`)
  }
}
