/**
 * `npm run bench -- NAME`: runs one of these benches, which prints one line of JSON. Exits with 1 if a limit is exceeded;
 * `broken` names each one.
 */
type Report = { broken: string[] }
const benches: Record<string, () => Promise<{ run: () => Report | Promise<Report> }>> = {
  disk: () => import('./disk.ts'),
  fair: () => import('./fair.ts'),
  fresh: () => import('./fresh.ts'),
  import: () => import('./import.ts'),
  lists: () => import('./lists.ts'),
  push: () => import('./push.ts'),
  rebuild: () => import('./rebuild.ts'),
  tenants: () => import('./tenants.ts'),
  web: () => import('./web.ts'),
  webhooks: () => import('./webhooks.ts'),
}

const name = process.argv[2] ?? ''
const load = Object.hasOwn(benches, name) ? benches[name] : undefined
if (load) {
  const { run } = await load()
  const report = await run()
  process.stdout.write(`${JSON.stringify(report)}\n`)
  process.exitCode = report.broken.length === 0 ? 0 : 1
} else {
  process.stderr.write(`Usage: npm run bench -- ${Object.keys(benches).join('|')}\n`)
  process.exitCode = 2
}
