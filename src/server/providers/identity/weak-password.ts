import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export const passwordMinLength = 10
/** In UTF-16 units, as the library counts. The rest of a longer password is not checked. */
export const passwordMaxLength = 128
const productName = 'tributary'
/** A password with fewer different characters than this is a pattern. */
const differentMin = 5

/** The most common beginnings, one per line. The list is our own, so that no password has to leave the server. */
const common = new Set(
  readFileSync(join(import.meta.dirname, 'common-passwords.txt'), 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#')),
)
const rows = [
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  '01234567890',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
]
const alike: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/**
 * Why a password is refused, in one sentence for the person, or null. It checks length, known passwords and the
 * person's own names, but requires no mixture of character kinds (NIST SP 800-63B, 5.1.1.2).
 */
export function weaknessOf(password: string, email: string | null): string | null {
  if (password.length > passwordMaxLength) {
    return `Choose a password of at most ${passwordMaxLength} characters.`
  }
  if ([...password].length < passwordMinLength) {
    return `Choose a password of at least ${passwordMinLength} characters.`
  }
  const plain = password.normalize('NFKC').toLowerCase()
  if (new Set(plain).size < differentMin) return 'Choose a password with more different characters.'
  if (ownNames(email).some((name) => name === plain || lettersOf(plain) === lettersOf(name))) {
    return 'Choose a password that is not your address or the name of this product.'
  }
  return isCommon(plain) ? 'This password is among the most common ones. Choose another.' : null
}

function isCommon(plain: string): boolean {
  const core = coreOf(plain)
  const read = [...core].map((character) => alike[character] ?? character).join('')
  return [plain, core, read].some((text) => common.has(text) || isRepeated(text)) || isRow(plain)
}

/** Removes the digits and signs that people put around a word: 'Password2026!' gives 'password'. */
function coreOf(text: string): string {
  const characters = [...text]
  const isLetter = (character: string) => character >= 'a' && character <= 'z'
  const first = characters.findIndex(isLetter)
  // Walks by index, because a regular expression for the end of a text restarts at every character.
  const core = first < 0 ? [] : characters.slice(first, characters.findLastIndex(isLetter) + 1)
  return core.join('').replace(/[\s._-]/g, '')
}

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}]/gu, '')
}

/** 'passwordpassword', 'abcabcabcabc': a known or short word that repeats. */
function isRepeated(text: string): boolean {
  const unit = /^(.{1,12}?)\1+$/.exec(text)?.[1]
  return unit !== undefined && (unit.length <= 4 || common.has(unit))
}

/** Only neighbours on a keyboard or in the alphabet, forwards or backwards. */
function isRow(plain: string): boolean {
  return rows.some((row) => {
    const around = row + row
    return around.includes(plain) || [...around].reverse().join('').includes(plain)
  })
}

function ownNames(email: string | null): string[] {
  if (email === null) return [productName]
  const [local = '', host = ''] = email.toLowerCase().split('@')
  return [productName, email.toLowerCase(), local, host, host.split('.')[0] ?? ''].filter(
    (name) => name.length > 2,
  )
}
