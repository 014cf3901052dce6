import type { Random } from '../numbers/random.ts'

type Identity = {
  name: string | null
  email: string | null
}

const firstWords = [
  'Alder',
  'Birch',
  'Cobalt',
  'Dune',
  'Ember',
  'Fjord',
  'Granite',
  'Harbor',
  'Indigo',
  'Juniper',
  'Kelp',
  'Lumen',
]
const more = [
  'Maple',
  'Nimbus',
  'Otter',
  'Pebble',
  'Quartz',
  'Raven',
  'Sable',
  'Tundra',
  'Umber',
  'Violet',
  'Willow',
  'Zephyr',
]
const secondWords = [
  'works',
  'labs',
  'freight',
  'foods',
  'clinic',
  'studio',
  'metrics',
  'cargo',
  'tools',
  'press',
  'energy',
  'parks',
]
const legal = [' Inc.', ' LLC', ' GmbH', ' Ltd', ' B.V.', '', '', ' & Co. KG', ', S.A. de C.V.', ' 株式会社']
const desks = ['billing', 'accounts', 'finance', 'ap', 'hello', 'ops', 'Rechnung', 'it+saas']

/** Domains that several customers share, with and without subdomains. */
const groups = [
  'northgate-group.example',
  'eu.northgate-group.example',
  'us.northgate-group.example',
  'campus.example',
]

/** Providers of personal mail; the local parts are invented. */
const freeMail = ['gmail.com', 'outlook.com', 'yahoo.com', 'proton.me']

const oddNames = [
  '<script>alert("hi")</script> Ltd',
  "O'Brien & Söhne 'quoted'",
  '🚀🚀🚀',
  '  leading and trailing  ',
  `${'Very Long Holding Name '.repeat(9)}AG`,
  '=SUM(A1:A9)',
  'مؤسسة النخيل',
  'null',
]

/** The name and address of a customer: mostly a company on its own domain, plus the exceptions of real accounts. */
export function inventIdentity(random: Random, index: number): Identity {
  const word = random.pick([...firstWords, ...more])
  const second = random.pick(secondWords)
  const odd = index % 25 === 7 ? oddNames[Math.floor(index / 25) % oddNames.length] : undefined
  const name = index % 29 === 11 ? null : (odd ?? `${word} ${second}${random.pick(legal)}`)
  return { name, email: inventEmail(random, index, `${word}${second}${index}`.toLowerCase()) }
}

function inventEmail(random: Random, index: number, site: string): string | null {
  const desk = random.pick(desks)
  if (index % 17 === 5) return null
  if (index % 19 === 3) return `billing.team.${index}@${random.pick(freeMail)}`
  if (index % 12 === 1) return `${desk}.${index}@${random.pick(groups)}`
  if (index % 31 === 2) return `${desk.toUpperCase()}@${site.toUpperCase()}.EXAMPLE`
  if (index % 23 === 4) return `${desk}@mail.${site}.example`
  return `${desk}@${site}.example`
}
