/**
 * Companies and contacts that a CRM would have beside a payment account: most customers, but not all, with some
 * disorder.
 */

type Customer = { id: string; name?: unknown; email?: unknown; created?: unknown; deleted?: unknown }
type Company = {
  name: string
  domain: string
  additionalDomains?: string[]
  createdAt?: number
  lastActivityAt?: number
  dealCount?: number
}
type Contact = {
  email: string
  additionalEmails?: string[]
  firstname: string
  lastname: string
  companyDomain?: string
}

const dayMs = 86_400_000
const mailProviders = new Set(['gmail.com', 'outlook.com', 'yahoo.com', 'proton.me'])

/**
 * Of 20 domains, 3 have no company, 1 has two, 2 are an additional domain of a company, the others have exactly one.
 */
export function crmSeedOf(world: { customers: readonly Customer[] }): {
  companies: Company[]
  contacts: Contact[]
} {
  const companies: Company[] = []
  const contacts: Contact[] = []
  const seen = new Set<string>()
  for (const customer of world.customers) {
    const email = typeof customer.email === 'string' ? customer.email.toLowerCase() : ''
    const domain = registrable(email.split('@')[1] ?? '')
    if (domain === '') continue
    if (!seen.has(domain) && !mailProviders.has(domain)) companies.push(...companiesOn(domain, customer))
    if (!seen.has(email) && dice(email) < 10) contacts.push(contactOf(email, domain))
    seen.add(domain).add(email)
  }
  return { companies, contacts }
}

function companiesOn(domain: string, customer: Customer): Company[] {
  const name = typeof customer.name === 'string' && customer.name !== '' ? customer.name : domain
  const roll = dice(domain)
  if (roll < 3) return []
  const kept = keptFor(domain, customer)
  if (roll === 3)
    return [
      { name, domain, ...kept },
      { name: `${name} (duplicate)`, domain, ...(kept && { createdAt: kept.createdAt + 40 * dayMs }) },
    ]
  if (roll < 6) return [{ name, domain: `group-${domain}`, additionalDomains: [domain], ...kept }]
  return [{ name, domain, ...kept }]
}

/** Sales found the company some days before it paid, closed a deal or two and called again later. */
function keptFor(domain: string, { created }: Customer) {
  if (typeof created !== 'number') return undefined
  const [days, deals] = [dice(`${domain} days`), dice(`${domain} deals`)]
  const paidAt = created * 1000
  const dealCount = 1 + (deals % 3)
  return { createdAt: paidAt - (60 + days) * dayMs, lastActivityAt: paidAt - days * 3_600_000, dealCount }
}

function contactOf(email: string, domain: string): Contact {
  const [first = 'Billing'] = (email.split('@')[0] ?? '').split('.')
  const isCompany = !mailProviders.has(domain) && dice(domain) >= 3
  return { email, firstname: first, lastname: 'Contact', ...(isCompany && { companyDomain: domain }) }
}

function registrable(host: string): string {
  return host.split('.').slice(-2).join('.')
}

/** 0 to 19, always equal for equal texts. */
function dice(text: string): number {
  let hash = 2_166_136_261
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619) >>> 0
  return (hash >>> 8) % 20
}
