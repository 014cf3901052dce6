/**
 * Whether HubSpot stores the value that we sent. HubSpot returns texts and changes some spellings: '25' for
 * '25.00', exponents, other forms of instants, no blanks at the ends.
 */
export function isSameValue(theirs: string, ours: string): boolean {
  const [left, right] = [theirs.trim(), ours.trim()]
  if (left === right) return true
  if (left === '' || right === '') return false
  if (isNumber(left) && isNumber(right)) return Number(left) === Number(right)
  return instantOf(left) !== undefined && instantOf(left) === instantOf(right)
}

function isNumber(text: string): boolean {
  return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)
}

/** Milliseconds since 1970 from an ISO instant or day, or from HubSpot's number of milliseconds. */
function instantOf(text: string): number | undefined {
  if (/^\d{12,14}$/.test(text)) return Number(text)
  return /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : undefined
}
