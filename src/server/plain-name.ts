/**
 * Signs that nobody sees: two names look the same, or a stranger's name turns the address beside it. Three stay: Persian and
 * Indic scripts need joiner and non-joiner, and emoji the joiner and the sign that colors them.
 */
const unseen = /(?!\u200c|\u200d|\ufe0f)\p{Default_Ignorable_Code_Point}/gu
const breaking = /[\p{Cc}\u2028\u2029]+/gu

/** A name that somebody chose for themselves or an organization, on one line and as it looks. */
export function plainName(text: string): string {
  return text.replace(breaking, ' ').replace(unseen, '').trim()
}

/** A sentence that ends with a name: the full stop of *Inc.* ends it too. */
export function sentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`
}
