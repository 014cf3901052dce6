import { makeOwner } from '#server/work/organization/make-owner.ts'
import { resetSecondFactor } from '#server/work/organization/reset-second-factor.ts'
import { asApplication } from './as-owner.ts'

/** Turns two-factor authentication off for somebody who lost the app and the recovery codes. */
export function turnSecondFactorOff(email: string): Promise<number> {
  return asApplication('turn two-factor authentication off', async (database) => {
    const ended = await resetSecondFactor(database, email)
    if (ended === undefined) throw new Error(`No account of ${email} has two-factor authentication.`)
    process.stdout.write(
      `Two-factor authentication of ${email} is off. Sessions ended: ${ended}. The person is told by mail.\n`,
    )
  })
}

/** Makes a member an owner, for an organization whose last owner is gone. */
export function appointOwner(email: string, organization: string | undefined): Promise<number> {
  return asApplication('make an owner', async (database) => {
    const made = await makeOwner(database, { email, organization })
    process.stdout.write(
      `${made.email} is an owner of ${made.organization}. Owners told by mail: ${made.told}.\n`,
    )
  })
}
