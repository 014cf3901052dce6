import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { settingNames } from '#server/config.ts'

type Service = {
  image?: string
  build?: { args?: Record<string, string> }
  read_only?: boolean
  cap_drop?: string[]
  cap_add?: string[]
  security_opt?: string[]
  tmpfs?: string[]
  mem_limit?: string
  privileged?: boolean
  restart?: string
  ports?: string[]
  healthcheck?: object
}

const read = (file: string) => readFileSync(file, 'utf8')
const compose = read('compose.yaml')
const image = read('Dockerfile')
const namesIn = (text: string, pattern: RegExp) =>
  new Set([...text.matchAll(pattern)].map(([, name]) => name))
const passed = namesIn(compose, /\$\{(\w+):/g)

/** What a proxy needs to take the ports of http and https. */
const usualPorts = 'NET_BIND_SERVICE'

/** Unneeded rights of a container, one per line. */
function faultsOf(text: string): string[] {
  const { services } = parse(text, { merge: true }) as { services: Record<string, Service> }
  return Object.entries(services).flatMap(([name, service]) => {
    const stays = service.restart !== 'no'
    const rules: Record<string, boolean | undefined> = {
      'writes to its own files': !service.read_only,
      'has no place for temporary files': !service.tmpfs?.includes('/tmp'),
      'keeps the capabilities of root': service.cap_drop?.join() !== 'ALL',
      'is given capabilities':
        name !== 'postgres' && service.cap_add !== undefined && `${service.cap_add}` !== usualPorts,
      'may gain privileges': !service.security_opt?.includes('no-new-privileges:true'),
      'is privileged': service.privileged,
      'takes any amount of memory': service.mem_limit === undefined,
      'is never looked at': stays && service.healthcheck === undefined,
      'listens for everybody':
        name !== 'proxy' && service.ports?.some((port) => !port.startsWith('127.0.0.1:')),
      'cannot be pinned by digest': !/^\$\{\w+_IMAGE:-/.test(
        service.image ?? service.build?.args?.['NODE_IMAGE'] ?? '',
      ),
    }
    return Object.entries(rules).flatMap(([rule, isBroken]) => (isBroken ? [`${name} ${rule}`] : []))
  })
}

describe('compose.yaml', () => {
  it('passes on only settings that the configuration reads', () => {
    const known = new Set<string | undefined>(settingNames)
    const handed = namesIn(compose.split('services:')[0] ?? '', /^ {4}([A-Z_]+): /gm)
    expect(handed.size).toBeGreaterThan(8)
    expect([...handed].filter((name) => !known.has(name))).toEqual([])
  })

  it('and the configuration read just the settings that the example offers', () => {
    const offered = namesIn(read('.env.example'), /^(?:# )?([A-Z_]+)=/gm)
    expect([...offered].sort()).toEqual([...new Set([...settingNames, ...passed])].sort())
    const fixed = ['DATABASE_URL', 'HOST', 'PORT', 'METRICS_HOST', 'METRICS_PORT', 'NODE_EXTRA_CA_CERTS']
    expect(settingNames.filter((name) => !passed.has(name)).sort()).toEqual(fixed.sort())
  })

  it('runs only commands and files that exist', () => {
    for (const [, file = ''] of compose.matchAll(/command: node (?:--\S+ )*(\S+)/g))
      expect(() => readFileSync(file)).not.toThrow()
    expect(() => readFileSync(/"(src\/[^"]+)"/.exec(image)?.[1] ?? 'missing')).not.toThrow()
  })

  it('lets no container do what it need not', () => {
    expect(faultsOf(compose)).toEqual([])
  })

  it.each([
    ['  read_only: true\n', '', 'writes to its own files'],
    ['  tmpfs: [/tmp]\n', '', 'has no place for temporary files'],
    ['  cap_drop: [ALL]\n', '', 'keeps the capabilities of root'],
    [
      '  stop_grace_period: 12s\n',
      '  stop_grace_period: 12s\n  cap_add: [NET_ADMIN]\n',
      'is given capabilities',
    ],
    ['"no-new-privileges:true"', '"seccomp:unconfined"', 'may gain privileges'],
    ['  read_only: true\n', '  read_only: true\n  privileged: true\n', 'is privileged'],
    ['  mem_limit: 1g\n', '', 'takes any amount of memory'],
    [/ {4}healthcheck:\n {6}test:\n(?: {8}.*\n)+(?: {6}.*\n)+/, '', 'is never looked at'],
    ['127.0.0.1:3000:3000', '3000:3000', 'listens for everybody'],
    [/\$\{NODE_IMAGE\S+/, 'node:24-slim', 'cannot be pinned by digest'],
  ])('is refused without %j', (text, replacement, fault) => {
    const worse = compose.replace(text, replacement)
    expect(worse).not.toBe(compose)
    expect(faultsOf(worse).join('\n')).toContain(`server ${fault}`)
  })
})

const manifest = JSON.parse(read('package.json')) as { dependencies: Record<string, string> }
/** The packages that server, worker and commands load; the others are part of the browser's bundle. */
const loaded = new Set(
  globSync('src/{server,cli,contract,domain}/**/*.ts', { exclude: ['**/*.test.ts'] }).flatMap((file) =>
    [...read(file).matchAll(/(?:from |import\()'((?:@[\w.-]+\/)?[\w.-]+)/g)].map(([, name]) => name),
  ),
)

/** Unneeded contents or rights of the image, one per line. */
function faultsOfImage(text: string): string[] {
  const [, ...stages] = text.split(/^FROM /m)
  const last = stages.at(-1) ?? ''
  const taken = new Set(/npm uninstall ([^&]*)/.exec(text)?.[1]?.split(/[\s\\]+/))
  const rules: Record<string, boolean> = {
    'a base image cannot be pinned by digest': stages.some((stage) => !/^\$\{NODE_IMAGE\}/.test(stage)),
    'it runs as root': !/^USER node$/m.test(last),
    'something is installed into it': /^(?:RUN|ADD) /m.test(last),
    'something comes in that no stage has chosen': /^COPY (?!--from=build \/app\/[\w./]+ )/m.test(last),
    'it carries tools and packages of other processes':
      !taken.has('--omit=dev') || !taken.has('--omit=optional'),
    'it carries the browser’s sources': !/rm -rf src\/web src\/simulators/.test(text),
  }
  return [
    ...Object.entries(rules).flatMap(([rule, isBroken]) => (isBroken ? [rule] : [])),
    ...Object.keys(manifest.dependencies)
      .filter((name) => taken.has(name) === loaded.has(name))
      .map((name) => `${name} is ${taken.has(name) ? 'left out' : 'never loaded'}`),
  ]
}

describe('the image', () => {
  it('carries what it runs, and no more', () => {
    expect(faultsOfImage(image)).toEqual([])
  })

  it.each([
    [/FROM \S+\nENV/, 'FROM node:latest\nENV\n', 'a base image cannot be pinned by digest'],
    ['USER node\n', '', 'it runs as root'],
    ['USER node\n', 'RUN npm ci\nUSER node\n', 'something is installed into it'],
    ['USER node\n', 'COPY . .\nUSER node\n', 'something comes in that no stage has chosen'],
    [' --omit=optional', '', 'it carries tools and packages of other processes'],
    ['rm -rf src/web src/simulators', 'true', 'it carries the browser’s sources'],
    [' react-dom', '', 'react-dom is never loaded'],
    [' react-dom', ' react-dom kysely', 'kysely is left out'],
  ])('is refused where %j becomes %j', (text, replacement, fault) => {
    expect(faultsOfImage(image.replace(text, replacement))).toEqual([fault])
  })

  it('is made of nothing but what is named, so that no file of secrets gets in', () => {
    const [first, ...named] = read('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
    expect(first).toBe('*')
    expect(named.filter((line) => !/^!(?:[\w-]+|\.npmrc|[\w-]+\.(?:json|config\.ts))$/.test(line))).toEqual(
      [],
    )
  })
})
