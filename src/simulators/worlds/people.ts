import type { Random } from './random.ts'

interface Identity {
  name: string | null
  email: string | null
}

const FIRST = [
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
const MORE = [
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
const SECOND = [
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
const LEGAL = [' Inc.', ' LLC', ' GmbH', ' Ltd', ' B.V.', '', '', ' & Co. KG', ', S.A. de C.V.', ' 株式会社']
const DESKS = ['billing', 'accounts', 'finance', 'ap', 'hello', 'ops', 'Rechnung', 'it+saas']

/** Domains that several customers share, with and without subdomains. */
const GROUPS = [
  'northgate-group.example',
  'eu.northgate-group.example',
  'us.northgate-group.example',
  'campus.example',
]

/** Providers of personal mail; the local parts are invented. */
const FREE_MAIL = ['gmail.com', 'outlook.com', 'yahoo.com', 'proton.me']

const ODD_NAMES = [
  '<script>alert("hi")</script> Ltd',
  "O'Brien & Söhne 'quoted'",
  '🚀🚀🚀',
  '  leading and trailing  ',
  `${'Very Long Holding Name '.repeat(9)}AG`,
  '=SUM(A1:A9)',
  'مؤسسة النخيل',
  'null',
]

/** Who a customer says it is: mostly a company on a domain of its own, and the exceptions real accounts have. */
export function inventIdentity(random: Random, index: number): Identity {
  const word = random.pick([...FIRST, ...MORE])
  const second = random.pick(SECOND)
  const odd = index % 25 === 7 ? ODD_NAMES[Math.floor(index / 25) % ODD_NAMES.length] : undefined
  const name = index % 29 === 11 ? null : (odd ?? `${word} ${second}${random.pick(LEGAL)}`)
  return { name, email: inventEmail(random, index, `${word}${second}${index}`.toLowerCase()) }
}

function inventEmail(random: Random, index: number, site: string): string | null {
  const desk = random.pick(DESKS)
  if (index % 17 === 5) return null
  if (index % 19 === 3) return `billing.team.${index}@${random.pick(FREE_MAIL)}`
  if (index % 12 === 1) return `${desk}.${index}@${random.pick(GROUPS)}`
  if (index % 31 === 2) return `${desk.toUpperCase()}@${site.toUpperCase()}.EXAMPLE`
  if (index % 23 === 4) return `${desk}@mail.${site}.example`
  return `${desk}@${site}.example`
}
