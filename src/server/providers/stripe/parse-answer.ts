/**
 * What of a list is decoded and parsed in one go, in bytes. Text that is much longer does not fit among the engine's
 * short-lived objects: memory for it is fetched from the system and given back, which takes longer than to parse it.
 */
const partMax = 24 * 1024

/** The beginning of a list answer up to its first object, and of that the name of a field, with the kind that an id names. */
const listHead =
  /^\s*\{(?:\s*"(?:object|url|has_more)"\s*:\s*(?:"[ !#-[\]-~]*"|true|false)\s*,)*\s*"data"\s*:\s*\[(\s*)(\{\s*"\w+"\s*:(?:\s*"[a-z]+_)?)/
const listHeadMax = 512

/** The JSON value that an answer says, as JSON.parse gives it; throws SyntaxError as that does. */
export function parseAnswer(body: Buffer): unknown {
  return (body.length > partMax ? parseInParts(body) : undefined) ?? JSON.parse(body.toString())
}

/**
 * A list, a few of its objects at a time; undefined where it cannot be cut. It is cut where one object seems to end and the
 * next to begin. Should that be inside an object or a text, neither side of the cut is JSON; where each side is, the whole
 * is, too, and says the same.
 */
function parseInParts(body: Buffer): object | undefined {
  const [head = '', space = '', objectHead = ''] =
    listHead.exec(body.toString('latin1', 0, listHeadMax)) ?? []
  if (head === '') return undefined
  const between = `},${space}${objectHead}`
  const envelope = head.slice(0, -objectHead.length)
  const found: unknown[] = []
  let begin = envelope.length
  try {
    while (body.length - begin > partMax) {
      const near = body.lastIndexOf(between, begin + partMax)
      const end = near > begin ? near : body.indexOf(between, begin)
      if (end === -1) break
      const part: unknown[] = JSON.parse(`[${body.toString('utf8', begin, end + 1)}]`)
      found.push(...part)
      begin = end + between.length - objectHead.length
    }
    const last: { data: unknown } = JSON.parse(`${envelope}null,${body.toString('utf8', begin)}`)
    // Unless the answer names its data twice, of which the last counts.
    if (!Array.isArray(last.data) || last.data[0] !== null) return undefined
    return { ...last, data: found.concat(last.data.slice(1)) }
  } catch {
    return undefined
  }
}
