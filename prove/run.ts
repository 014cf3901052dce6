/**
 * `npm run prove -- NAME [OPTIONS]`: runs a proof that takes too long for `npm test`. It reports its progress and exits
 * with 1 if anything is wrong. Without a name, lists the proofs.
 */
import { longTests } from './long-tests.ts'

type Proof = {
  says: string
  /** Whether the proof found everything right. */
  load: () => Promise<{ run: (options: string[]) => Promise<boolean> }>
}
const proofs: Record<string, Proof> = {
  ...longTests,
  chaos: {
    says: 'imports and pushes while processes and database are killed or frozen (--rounds=24 --seed=1; half an hour and more)',
    load: () => import('./chaos.ts'),
  },
}

const [name = '', ...options] = process.argv.slice(2)
const proof = Object.hasOwn(proofs, name) ? proofs[name] : undefined
if (proof) {
  const { run } = await proof.load()
  process.exitCode = (await run(options)) ? 0 : 1
} else {
  const lines = Object.entries(proofs).map(([each, { says }]) => `  ${each}: ${says}\n`)
  process.stdout.write(`npm run prove -- NAME [OPTIONS], where NAME is one of\n${lines.join('')}`)
  process.exitCode = name === '' ? 0 : 2
}
