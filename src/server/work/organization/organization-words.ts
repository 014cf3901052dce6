import { plainName } from '../../plain-name.ts'
import { Refusal } from '../../refusal.ts'

const nameMaxLength = 100
/** Lower-case words with dashes, as used in URLs. */
const slugShape = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const pictureMaxLength = 500

/** The name as it is kept, on one line; refuses one that is empty or too long. */
export function nameOf(value: string): string {
  const name = plainName(value)
  if (name === '' || name.length > nameMaxLength || value.includes('\u0000') || !name.isWellFormed()) {
    throw new Refusal('invalid_request', `name: must have 1 to ${nameMaxLength} characters.`)
  }
  return name
}

/** The slug, if it has the form of one; otherwise it is refused. */
export function slugOf(value: string): string {
  if (!slugShape.test(value)) {
    throw new Refusal('invalid_request', 'address: must be lowercase letters, digits and single hyphens.')
  }
  return value
}

export function slugTaken(): Refusal {
  return new Refusal('conflict', 'This address is taken. Choose another one.')
}

/** The https URL of a picture, without credentials; null for none. */
export function pictureOf(value: string | null): string | null {
  if (value === null || value === '') return null
  const url = URL.parse(value)
  const isPicture = url?.protocol === 'https:' && url.username === '' && url.password === ''
  if (!isPicture || url.href.length > pictureMaxLength) {
    throw new Refusal(
      'invalid_request',
      `pictureUrl: must be an address that begins with https:// and has at most ${pictureMaxLength} characters.`,
    )
  }
  return url.href
}
