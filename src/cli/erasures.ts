import { readFileSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { openProcess } from '#server/process.ts'
import { applyErasures, exportErasures } from '#server/work/erasure/erasure-list.ts'
import { writeWhole } from './whole-file.ts'

const word = z.strictObject({ kind: z.enum(['address', 'name', 'host']), hash: z.string() })
const list = z.strictObject({
  format: z.literal('tributary-erasures-1'),
  deletions: z.array(
    z.strictObject({
      kind: z.enum(['organization', 'account']),
      subjectId: z.int(),
      createdAt: z.iso.datetime(),
    }),
  ),
  organizations: z.array(
    z.strictObject({
      id: z.int(),
      createdAt: z.iso.datetime(),
      sealedKey: z.string(),
      erasures: z.array(
        z.strictObject({
          id: z.string(),
          reason: z.enum(['asked', 'redacted', 'deleted']),
          words: z.array(word),
        }),
      ),
    }),
  ),
})

/** Writes the list of erasures and deletions to a file, or repeats them in a database restored from an older backup. */
export async function erasures(verb: string | undefined, file: string | undefined): Promise<number> {
  if ((verb !== 'export' && verb !== 'apply') || file === undefined) {
    process.stderr.write(
      'Say what to do and with which file: erasures export FILE, or erasures apply FILE.\n',
    )
    return 2
  }
  const given = verb === 'apply' ? readList(file) : null
  if (given === undefined) {
    process.stderr.write(`${file} is no list of erasures. Take one that erasures export has written.\n`)
    return 2
  }
  const { deps, close } = await openProcess({
    name: 'erasures',
    environment: { ...process.env, METRICS_PORT: '' },
  })
  try {
    if (given === null) {
      const made = await exportErasures(deps)
      await writeWhole(file, (into) => pipeline([`${JSON.stringify(made, null, 1)}\n`], into))
      const erased = made.organizations.reduce((sum, one) => sum + one.erasures.length, 0)
      process.stdout.write(`Wrote ${erased} erasures and ${made.deletions.length} deletions.\n`)
      return 0
    }
    const { deleted, erased, remembered } = await applyErasures(deps, given)
    process.stdout.write(`Deleted again ${deleted}, erased again ${erased}, remembered ${remembered}.\n`)
    return 0
  } finally {
    await close()
  }
}

function readList(file: string): z.output<typeof list> | undefined {
  try {
    return list.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data
  } catch {
    return undefined
  }
}
