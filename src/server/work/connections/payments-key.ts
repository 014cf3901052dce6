import { accountIdForm, isOrganizationKey } from '#domain/payment-key.ts'
import { Refusal } from '../../refusal.ts'

const keyMaxLength = 500
const secretKeyWanted = 'API key must start with sk_.'
const notWholeKey = (name: string) =>
  `This is not a complete key of ${name}: it is too long, too short, or has characters that are not letters, digits or underscores. Copy it from ${name} again.`

/** Keys that people confuse with the right one, each with what to enter instead. */
const wrongKeys: readonly [RegExp, string][] = [
  [/^pk_/, `This is a publishable key, which may not read data. Enter the secret key: ${secretKeyWanted}`],
  [/^whsec_/, `This is the signing secret of a webhook. Enter the secret key: ${secretKeyWanted}`],
]

/** The key as it will be sent. Refuses, with what to enter instead, what cannot be a key. */
export function readKey(input: string, name: string): string {
  const apiKey = cleaned(input)
  if (apiKey === '') throw new Refusal('invalid_request', `Please enter your ${name} secret API key.`)
  const wrong = wrongKeys.find(([form]) => form.test(apiKey))
  if (wrong) throw new Refusal('invalid_request', wrong[1])
  if (!/^[sr]k_/.test(apiKey)) throw new Refusal('invalid_request', secretKeyWanted)
  const isKey = /^[A-Za-z0-9_]+$/.test(apiKey) && apiKey.length <= keyMaxLength
  if (!isKey) throw new Refusal('invalid_request', notWholeKey(name))
  return apiKey
}

/**
 * The account that an organization's key is to read; null for a key of one account, which needs none. Refuses an
 * account that is missing, is no account's id, or is not needed.
 */
export function readKeyAccount(apiKey: string, input: string | undefined, name: string): string | null {
  const accountId = cleaned(input ?? '')
  if (!isOrganizationKey(apiKey)) {
    if (accountId === '') return null
    throw new Refusal('invalid_request', 'This key belongs to one account. Leave the account empty.')
  }
  if (accountId === '')
    throw new Refusal(
      'invalid_request',
      `This is an organization key, which works for several accounts. Enter the id of the account to import from as well: it starts with acct_, and ${name} shows it in the settings of the account.`,
    )
  if (!accountIdForm.test(accountId) || accountId.length > keyMaxLength)
    throw new Refusal(
      'invalid_request',
      `This is no account of ${name}. Enter its id: it starts with acct_, and ${name} shows it in the settings of the account.`,
    )
  return accountId
}

/** People paste with spaces, line breaks and invisible characters. */
function cleaned(input: string): string {
  return input.replace(/[\s\p{Cf}]/gu, '')
}
