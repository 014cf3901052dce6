/**
 * Whether HubSpot holds the value that we sent. It answers everything as text, and some of it in another spelling: '25'
 * for '25.00', other forms of instants, texts without the blanks at their ends.
 */
export function isSameValue(theirs: string, ours: string): boolean {
  const [left, right] = [theirs.trim(), ours.trim()]
  if (left === right) return true
  if (left === '' || right === '') return false
  if (isNumber(left) && isNumber(right)) return Number(left) === Number(right)
  return instantOf(left) !== undefined && instantOf(left) === instantOf(right)
}

function isNumber(text: string): boolean {
  return /^-?\d+(\.\d+)?$/.test(text)
}

/** Milliseconds since 1970 of an ISO instant or day, or of HubSpot's own number of milliseconds. */
function instantOf(text: string): number | undefined {
  if (/^\d{12,14}$/.test(text)) return Number(text)
  return /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : undefined
}
