import { globSync, readFileSync } from 'node:fs'
import { parseAst } from 'vite'
import { describe, expect, it } from 'vitest'

/** What texts for people avoid, each with what to write: plain words, American spelling, one word for one thing. */
const avoided: readonly { pattern: RegExp; better: string; where?: RegExp }[] = [
  { pattern: /\be-mails?\b/i, better: 'email' },
  { pattern: /\b(log(ged|ging)?[ -](in|into)|login)\b/i, better: 'sign in', where: /^src\// },
  { pattern: /\blog(ged|ging)? out\b/i, better: 'sign out' },
  { pattern: /\bcancell(ed|ing)\b/i, better: 'canceled' },
  { pattern: /(^|\d|\}) %(?!\w)/, better: '% without a space' },
  {
    pattern: /\b(colour|behaviour|favour|centre|licence|catalogue|whilst|labelled)/i,
    better: 'American spelling',
  },
  {
    pattern: /\b(organi|recogni|authori|synchroni|summari)s(e|ed|es|ing|ation)\b/i,
    better: 'American spelling',
  },
  { pattern: /\banew\b/i, better: 'again', where: /^src\// },
  { pattern: /\bany more\b/i, better: 'no longer', where: /^src\// },
  {
    pattern: /\bpush(es|ed|ing)?\b/i,
    better: 'sync to HubSpot',
    where: /^src\/(web|server|domain)\/.*\.tsx?:/,
  },
  {
    pattern:
      /^(\} | )(companies|contacts|customers|days|events|invoices|months|rates|records|subscriptions)\b/,
    better: 'counted(), which also says 1 record',
    where: /^src\/web\/(components|screens|shell)\//,
  },
]

/** Texts that the specification promises with a word from above, each with its place there. */
const promised: readonly { text: string; place: string }[] = [
  { text: 'Logout', place: 'section 2, Shell: Account Settings and Logout' },
]

/** The parts of the product whose texts people read; not SQL, nor words that names of companies are compared with. */
const sources = globSync('src/{web,contract,domain,cli,server}/**/*.{ts,tsx}').filter(
  (file) => !/\.test\.tsx?$|^src\/server\/store\/|^src\/domain\/company-name\.ts$/.test(file),
)
const documents = globSync(['*.md', 'docs/*.md', 'src/**/README.md'])

type Text = { place: string; text: string }

/** Sentences and labels of a file: texts with a space or a capital. Single small words are values of the code. */
function textsOf(file: string): Text[] {
  const code = readFileSync(file, 'utf8')
  const found: Text[] = []
  const note = (raw: string, at: number) => {
    const text = raw.replace(/\s+/g, ' ')
    if (!/[A-Z]|[a-z%] |[ }]%| [a-z%]/.test(text)) return
    found.push({ place: `${file}:${code.slice(0, at).split('\n').length}`, text })
  }
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) visit(one)
    if (Array.isArray(value) || typeof value !== 'object' || value === null) return
    const node = value as Record<string, unknown> & { type?: string; start: number }
    if (
      /^(Import|Export(All|Named))Declaration$|^TaggedTemplate/.test(node.type ?? '') &&
      !node['declaration']
    )
      return
    if ((node.type === 'Literal' || node.type === 'JSXText') && typeof node['value'] === 'string')
      note(node['value'], node.start)
    if (node.type === 'TemplateLiteral')
      for (const [index, part] of (
        node['quasis'] as { value: { cooked: string }; start: number }[]
      ).entries())
        note(`${index === 0 ? '' : '}'}${part.value.cooked}`, part.start)
    for (const one of Object.values(node)) visit(one)
  }
  visit(parseAst(code, { lang: file.endsWith('x') ? 'tsx' : 'ts' }))
  return found
}

/** The text of a document, with its examples in plain words, and without code and addresses. */
function linesOf(file: string): Text[] {
  const plain = readFileSync(file, 'utf8').replace(/```(\w*)[\s\S]*?```/g, (block, language) =>
    language === 'text' ? block : block.replace(/[^\n]/g, ''),
  )
  return plain
    .split('\n')
    .map((line, index) => ({ place: `${file}:${index + 1}`, text: line.replace(/`[^`]*`|\]\([^)]*\)/g, '') }))
}

const faultsIn = ({ place, text }: Text) =>
  promised.some((one) => one.text === text)
    ? []
    : avoided
        .filter(({ pattern, where }) => (where?.test(place) ?? true) && pattern.test(text))
        .map(({ better }) => `${place}: ${better}: ${text.trim()}`)

describe('texts for people', () => {
  it('are many, and each rule finds the word that it is about', () => {
    expect(sources.flatMap(textsOf).length).toBeGreaterThan(2_000)
    const bad = ['Your e-mail', 'Log in to it', 'Logged out', 'It was cancelled', '95 % of MRR', 'The colour']
    const worse = ['Organisation', 'Counted anew', 'Not there any more', 'Pushed 7 records']
    const afterNumbers = ['} subscriptions', ' records need review']
    for (const text of [...bad, ...worse, ...afterNumbers])
      expect(faultsIn({ place: 'src/web/screens/any.tsx:1', text }), text).toHaveLength(1)
  })

  it.each(['web', 'contract', 'domain', 'cli', 'server'])(
    'of %s are plain, and use one word for one thing',
    (room) => {
      const own = sources.filter((file) => file.startsWith(`src/${room}/`))
      expect(own.flatMap(textsOf).flatMap(faultsIn)).toEqual([])
    },
  )

  it('of the documents do so too', () => {
    expect(documents.flatMap(linesOf).flatMap(faultsIn)).toEqual([])
  })
})
