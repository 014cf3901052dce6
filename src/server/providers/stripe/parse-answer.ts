// A fast path. Instead of: `JSON.parse(body.toString())`. Gain: a page of invoices takes 1 ms instead of 6. To take it out:
// let `parseAnswer` return that line; its only caller stays as it is.

/**
 * How many bytes of a list are decoded and parsed at once. Longer texts do not fit into the engine's memory for
 * short-lived objects, and allocating memory for them takes longer than parsing.
 */
const partMax = 24 * 1024

/** The beginning of a list answer up to its first object, including the name of that object's first field. */
const listHead =
  /^\s*\{(?:\s*"(?:object|url|has_more)"\s*:\s*(?:"[ !#-[\]-~]*"|true|false)\s*,)*\s*"data"\s*:\s*\[(\s*)(\{\s*"\w+"\s*:(?:\s*"[a-z]+_)?)/
const listHeadMax = 512

/** The value of a JSON answer, as JSON.parse returns it. Throws SyntaxError for invalid JSON. */
export function parseAnswer(body: Buffer): unknown {
  return (body.length > partMax ? parseInParts(body) : undefined) ?? JSON.parse(body.toString())
}

/**
 * Parses a list in pieces; undefined when it cannot be cut. A cut follows an apparent end. Inside an
 * object or a text, one side would be invalid JSON; if both sides are valid, the cut is right.
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
    // An answer could contain `data` twice, and then the last one counts.
    if (!Array.isArray(last.data) || last.data[0] !== null) return undefined
    return { ...last, data: found.concat(last.data.slice(1)) }
  } catch {
    return undefined
  }
}
