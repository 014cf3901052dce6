import { examine } from './doctor/examine.ts'
import { markdownTable } from './markdown-table.ts'

/** Prints what is wrong with this installation as one table. Exit code 1 if anything is wrong. */
export async function doctor(options: { all: boolean }): Promise<number> {
  const symptoms = await examine(process.env, options.all)
  const rows = symptoms.map(({ part, state, text }) => [part, state, text])
  process.stdout.write(`${markdownTable(['part', 'state', 'finding'], rows)}\n`)
  return symptoms.some(({ state }) => state === 'wrong') ? 1 : 0
}
