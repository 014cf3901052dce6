// HubSpot refuses the consent page when the authorize address divides the scopes otherwise than the app's file. So this list
// is the only one: the file, the address and docs/going-live.md are made from it or compared with it.

/** One permission at HubSpot: its name there, and what Tributary does with it. */
type Scope = { name: string; use: string; isOptional: boolean; isForObjects: boolean }

const base = { isOptional: false, isForObjects: false }
/** If these were required, a portal without Enterprise could not connect at all and would see no reason. */
const ofObjects = { isOptional: true, isForObjects: true }
/** Not used yet. A scope that is added later makes every portal ask a person for consent again. */
const forLater = { isOptional: true, isForObjects: false }

/** Without it, the exchange rates of the account cannot be read. */
export const ratesScope = 'settings.currencies.read'

/** Every scope that Tributary may ask for, in the order of the authorize address. */
export const hubspotScopes: readonly Scope[] = [
  { name: 'oauth', use: 'reads which account is connected', ...base },
  { name: 'crm.objects.companies.read', use: 'finds the company of a customer', ...base },
  {
    name: 'crm.objects.companies.write',
    use: 'creates missing companies and attaches records to companies',
    ...base,
  },
  { name: 'crm.objects.contacts.read', use: 'finds the contact of a customer', ...base },
  {
    name: 'crm.objects.contacts.write',
    use: 'creates missing contacts and attaches records to contacts',
    ...base,
  },
  {
    name: 'crm.schemas.companies.write',
    use: 'adds the one property by which a company that Tributary created is found again',
    ...base,
  },
  { name: 'crm.schemas.custom.read', use: 'finds the two custom objects', ...ofObjects },
  { name: 'crm.schemas.custom.write', use: 'creates the two custom objects', ...ofObjects },
  { name: 'crm.objects.custom.read', use: 'reads the records of the two custom objects', ...ofObjects },
  { name: 'crm.objects.custom.write', use: 'writes the records of the two custom objects', ...ofObjects },
  {
    name: 'crm.schemas.contacts.write',
    use: 'will add revenue properties to contacts; not used yet',
    ...forLater,
  },
  {
    name: ratesScope,
    use: "reads the account's exchange rates, where an organization converts amounts by them",
    ...{ isOptional: true, isForObjects: false },
  },
]

/** What the permissions of one installation are: the two lists of the app's file and of the authorize address. */
export type ScopeSplit = { required: string[]; optional: string[] }

/** All scopes in their two lists, without those that the installation's app does not name. */
export function splitScopes(without: readonly string[] = []): ScopeSplit {
  const asked = hubspotScopes.filter(({ name }) => !without.includes(name))
  const names = (isOptional: boolean) =>
    asked.filter((scope) => scope.isOptional === isOptional).map(({ name }) => name)
  return { required: names(false), optional: names(true) }
}

/** The scopes without which the custom objects cannot be created, read or written. */
export const objectScopes: readonly string[] = hubspotScopes
  .filter(({ isForObjects }) => isForObjects)
  .map(({ name }) => name)
