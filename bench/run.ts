/** `npm run bench -- NAME`: runs one of the benches below, which prints one line of JSON. */
const benches: Record<string, () => Promise<{ run: () => object }>> = {
  rebuild: () => import('./rebuild.ts'),
}

const name = process.argv[2] ?? ''
const load = Object.hasOwn(benches, name) ? benches[name] : undefined
if (load) {
  const { run } = await load()
  process.stdout.write(`${JSON.stringify(run())}\n`)
} else {
  process.stderr.write(`Usage: npm run bench -- ${Object.keys(benches).join('|')}\n`)
  process.exitCode = 2
}
