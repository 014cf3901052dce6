/**
 * `npm run prove -- NAME [OPTIONS]`: runs one of the proofs below, which take too long for `npm test`. Each says what it
 * does as it goes and ends with 1 where anything is not as it should be. Without a name they are listed.
 */
import { longTests } from './long-tests.ts'

type Proof = {
  says: string
  /** Whether everything was as it should be. */
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
