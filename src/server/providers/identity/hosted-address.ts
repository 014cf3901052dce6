import { canonicalEmail } from '../../email-address.ts'
import { changeAddress } from '../../store/accounts/change-address.ts'
import { addToOutbox } from '../../store/accounts/outbox.ts'
import { recordForPerson } from '../../store/accounts/record-for-person.ts'
import { findAddressOf } from '../../store/accounts/users.ts'
import type { Database } from '../../store/postgres/database.ts'
import { emailChangedMail } from './mails.ts'

/**
 * Takes over the verified address that a hosted provider names for a known person now, since a person cannot change it
 * here. An address that another account has changes nothing: it must not open that account.
 */
export async function followHostedAddress(
  { database, publicUrl }: { database: Database; publicUrl: string },
  userId: number,
  named: string,
): Promise<void> {
  const to = canonicalEmail(named)
  const from = await findAddressOf(database, userId)
  if (to === null || from === undefined || from === to) return
  const change = { userId, sessionId: null, from, to }
  const tell = (transaction: Database) => addToOutbox(transaction, emailChangedMail(from, to, publicUrl))
  if (await changeAddress(database, change, tell))
    await recordForPerson(database, { userId, email: from, address: null }, 'email_changed')
}
