import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { memory } from '#test/memory.ts'

const installedBrowsers = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ...[process.env['PROGRAMFILES'], process.env['PROGRAMFILES(X86)'], process.env['LOCALAPPDATA']]
    .filter((folder) => folder !== undefined)
    .flatMap((folder) => [
      join(folder, 'Google/Chrome/Application/chrome.exe'),
      join(folder, 'Microsoft/Edge/Application/msedge.exe'),
    ]),
]
/** How long a step waits for what it needs: a busy machine must not fail the tests. */
export const patienceMs = 60_000

const unpacked = join(import.meta.dirname, '../node_modules/.cache/chromium')

let running: Promise<Browser> | undefined

/** The browser of this process and of all files that run in it, one after the other. It ends with the process. */
export function sharedBrowser(): Promise<Browser> {
  running ??= launchBrowser()
  return running
}

/** Ends what a file opened in the shared browser. */
export async function closeProfiles(): Promise<void> {
  for (const context of (await running)?.contexts() ?? []) await context.close()
}

/**
 * The machine's own browser, or the packaged one, which the first call unpacks. Call it once before processes that run
 * beside each other do: they would unpack the same files at once.
 */
export async function browserPath(): Promise<string> {
  return installedBrowsers.find((path) => existsSync(path)) ?? (await packagedBrowser())
}

/** Keeps what processes share on the disk, which costs a tenth more than in memory. Containers may give too little of that. */
const onDisk = '--disable-dev-shm-usage'

/** A real browser without a window. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: await browserPath(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    ...(memory() !== undefined && { ignoreDefaultArgs: [onDisk] }),
  })
}

/**
 * The packaged Chromium unpacks into the process's temporary folder, here one of ours; it includes libraries that the
 * machine may lack.
 */
async function packagedBrowser(): Promise<string> {
  if (process.platform !== 'linux')
    throw new Error('The tests found no browser. Install Chrome or Edge, then run them again.')
  const temporary = process.env['TMPDIR']
  mkdirSync(unpacked, { recursive: true })
  process.env['TMPDIR'] = unpacked
  try {
    const { default: packaged, inflate, setupLambdaEnvironment } = await import('@sparticuz/chromium')
    const path = await packaged.executablePath()
    if (execFileSync('ldd', [path], { encoding: 'utf8' }).includes('not found')) {
      await inflate(join(import.meta.dirname, '../node_modules/@sparticuz/chromium/bin/al2023.tar.br'))
      setupLambdaEnvironment(join(unpacked, 'al2023', 'lib'))
    }
    return path
  } finally {
    if (temporary === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = temporary
  }
}
