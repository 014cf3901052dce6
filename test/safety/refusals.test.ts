import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** Words that begin advice to the reader, or that say when the problem ends by itself. */
const advice =
  /(^|[.,;] )(Add|Ask|Attach|Begin|Cancel|Change|Check|Choose|Connect|Copy|Correct|Edit|Enter|Finish|Import|Leave|Look|Make|Please|Reload|Say|Send|Sign|Sync|Try|Verify|Wait)\b| (first|when it is done)\.$/i
/** Messages that are advice themselves, or name the field and its requirement. */
const tellsByItself =
  /^(This call is made with|Pages are read with|The body must be sent as|Only the domain of your own)|^(\w+|\$\{.*?\}): (must|is)\b|Sync History shows when/
/** Wording fixed by the specification. */
const given =
  /^(The requested subscription could not be found\.|Both .* connections are required for sync\.)$/
/** The source appends something to these messages. */
const goesOn = /(: | )$|\$\{[^}]*advice[^}]*\}$/

/** The messages of refusals that the source contains as a whole. */
function messagesOf(source: string): string[] {
  const calls = source.matchAll(/(?:new Refusal|errorAnswer)\(\s*'[a-z_]+',\s*(['`])(.*?)\1\s*[,)]/gs)
  return [...calls].map(([, , message = '']) => message)
}

it('says in every refusal what to do', () => {
  const messages = globSync('src/server/**/*.ts')
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => messagesOf(readFileSync(file, 'utf8')))
    .filter((message) => !goesOn.test(message))
  expect(messages.length).toBeGreaterThan(50)
  const silent = messages.filter((message) => !advice.test(message) && !tellsByItself.test(message))
  expect(silent.filter((message) => !given.test(message))).toEqual([])
})
