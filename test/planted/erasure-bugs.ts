import type { Bug } from './bug.ts'

const deletion = 'src/server/work/erasure/deletion.test.ts'
const erasure = 'src/server/work/erasure/erase-customer.test.ts'
const ofOthers = 'src/server/work/erasure/records-of-others.test.ts'
const list = 'src/server/work/erasure/erasure-list.test.ts'
const told = 'src/server/work/push/scenarios/told.test.ts'
const retention = 'src/server/store/erasure/retention.test.ts'

/** Holes in the right to delete, and remains of erased people. */
export const erasureBugs: readonly Bug[] = [
  {
    name: 'runs that still name the records of an erased customer',
    file: 'src/server/work/erasure/erase-customer.ts',
    text: '  await eraseRunRecords(tenant, ids)\n',
    replacement: '  await eraseRunRecords(tenant, ids.slice(0, 0))\n',
    caughtBy: ['src/server/api/runs/run-records.test.ts', 'forgets those of an erased customer'],
  },
  {
    name: 'told figures of an erased customer that stay with its records',
    file: 'src/server/store/erasure/erase-rows.ts',
    text: 'confirmed_hash = null, told = null, error = null',
    replacement: 'confirmed_hash = null, error = null',
    caughtBy: [told, 'forgets the figures with an erased customer'],
  },
  {
    name: 'told figures of an account that another one replaced',
    file: 'src/server/store/payments/payment-account.ts',
    text: 'and told is not null`',
    replacement: 'and told is null`',
    caughtBy: [told, 'and with an account that is replaced'],
  },
  {
    name: 'an organization deleted by whoever is no owner',
    file: 'src/server/work/erasure/delete-organization.ts',
    text: `if (self?.role !== 'owner') {`,
    replacement: 'if (self === undefined) {',
    caughtBy: [deletion, 'stays for whoever is no owner'],
  },
  {
    name: 'an organization deleted without its name',
    file: 'src/server/work/erasure/delete-organization.ts',
    text: 'if (membership?.name.trim() !== typedName) {',
    replacement: 'if (membership === undefined) {',
    caughtBy: [deletion, 'stays for whoever is no owner, and without its name'],
  },
  {
    name: 'an organization deleted without the password',
    file: 'src/server/api/organization/deletion.ts',
    text: `    const { deps, organizationId, actor } = context
    await requireProof(context, body.password)`,
    replacement: '    const { deps, organizationId, actor } = context',
    caughtBy: [deletion, 'stays for whoever is no owner, and without its name or the password'],
  },
  {
    name: 'tokens that live on at the CRM',
    file: 'src/server/work/erasure/delete-organization.ts',
    text: 'await crm.revokeTokens(refreshToken)',
    replacement: '',
    caughtBy: [deletion, 'goes whole'],
  },
  {
    name: 'an organization left without an owner by a deleted account',
    file: 'src/server/work/erasure/delete-account.ts',
    text: 'return self !== undefined && losesLastOwner(members, self, null)',
    replacement: 'return self === undefined && losesLastOwner(members, members[0] as never, null)',
    caughtBy: [deletion, 'stays where its last owner'],
  },
  {
    name: 'the address of a deleted account in the activity log',
    file: 'src/server/store/erasure/deletions.ts',
    text: 'select forget_person(${id}::integer, address)',
    replacement: 'select 1',
    caughtBy: [deletion, 'its address with it from everywhere'],
  },
  {
    name: 'the end of a longer address that a deleted account takes with it',
    file: 'src/server/store/erasure/deletions.ts',
    text: 'value ~* mention_of(${email})',
    replacement: 'position(lower(${email}) in lower(value)) > 0',
    caughtBy: [deletion, 'takes no longer address with it'],
  },
  {
    name: 'the end of a longer address that an erasure takes with it',
    file: 'src/server/store/erasure/erase-mentions.ts',
    text: '(?<![${letters}.+-])',
    replacement: '(?<![${letters}])',
    caughtBy: [ofOthers, 'leaves the longer address of another person alone'],
  },
  {
    name: 'an erased customer who comes back with the next import',
    file: 'src/server/work/import/save-objects.ts',
    text: 'await saveCustomers(tenant, await withoutErasedCustomers(seal, tenant, rows))',
    replacement: 'await saveCustomers(tenant, (await withoutErasedCustomers(seal, tenant, [])) && rows)',
    caughtBy: [erasure, 'a person who is erased'],
  },
  {
    name: 'an erased address that comes back from the portal',
    file: 'src/server/work/erasure/keep-index.ts',
    text: 'emails: contact.emails.filter((email) => !erased.has(email)),',
    replacement: 'emails: contact.emails,',
    caughtBy: [erasure, 'a person who is erased'],
  },
  {
    name: 'facts of an erased company that come back from the portal',
    file: 'src/server/work/erasure/keep-index.ts',
    text: '      facts: noCompanyFacts,\n',
    replacement: '',
    caughtBy: [erasure, 'a person who is erased'],
  },
  {
    name: 'former names left in the search',
    file: 'src/server/work/erasure/erase-customer.ts',
    text: 'await forgetFormerTexts(tenant, [...ids, ...renamedIds])',
    replacement: 'await forgetFormerTexts(tenant, renamedIds.slice(0, 0))',
    caughtBy: [erasure, 'is in no table any more'],
  },
  {
    name: 'a name left in messages',
    file: 'src/server/work/erasure/erase-customer.ts',
    text: 'const mentions = await eraseMentions(tenant, words, pseudonym)',
    replacement:
      'const mentions = await eraseMentions(tenant, { names: [], addresses: [], hosts: [] }, pseudonym)',
    caughtBy: [erasure, 'is in no table any more'],
  },
  {
    name: 'a list of erasures that erases whoever has the number now',
    file: 'src/server/store/erasure/deletions.ts',
    text: `and date_trunc('milliseconds', "createdAt") = \${createdAt}`,
    replacement: 'and ${createdAt}::timestamptz is not null',
    caughtBy: [list, 'nobody who was given its number later'],
  },
  {
    name: 'whoever is deleted at Stripe erased without being asked for',
    file: 'src/server/store/erasure/erasures.ts',
    text: ' and o.erases_deleted_customers)',
    replacement: ')',
    caughtBy: [list, 'where the organization wants it'],
  },
  {
    name: 'an index that outlives the portal',
    file: 'src/server/store/erasure/retention.ts',
    text: `['crm_companies', 'crm_contacts', 'crm_listings', 'crm_departures']`,
    replacement: `['crm_departures']`,
    caughtBy: [retention, 'its index for 30 days'],
  },
  {
    name: 'an open sign-up that outlives the account of its address',
    file: 'src/server/store/erasure/deletions.ts',
    text: "await transaction.deleteFrom('sign_ups').where('email', '=', email.toLowerCase()).execute()",
    replacement: '',
    caughtBy: [deletion, 'its address with it from everywhere'],
  },
  {
    name: 'companies of a portal that was left, quoted by open matches for ever',
    file: 'src/server/store/erasure/retention.ts',
    text: "await sql`update matches set candidates = '[]' where ${left} and candidates <> '[]'`.execute(tenant.sql)",
    replacement: '',
    caughtBy: [retention, 'its index for 30 days'],
  },
  {
    name: 'a hosted sign-in of any age that deletes',
    file: 'src/server/providers/identity/create-identity.ts',
    text: 'if (found !== null && (await isSessionFresh(database, Number(found.session.id), freshMinutes))) return',
    replacement:
      'if (found !== null && (await isSessionFresh(database, Number(found.session.id), 60))) return',
    caughtBy: ['src/server/work/erasure/hosted-deletion.test.ts', 'only a sign-in of the last ten minutes'],
  },
  {
    name: 'another organization that makes a hosted sign-in fresh',
    file: 'src/server/store/accounts/sessions.ts',
    text: 'token: session.token,',
    replacement: 'token: session.token, createdAt: sql<Date>`current_timestamp`,',
    caughtBy: ['src/server/work/erasure/hosted-deletion.test.ts', 'only a sign-in of the last ten minutes'],
  },
  {
    name: "what HubSpot said of an erased person's company",
    file: 'src/server/store/erasure/erase-mentions.ts',
    text: 'created_at = null, contact_count = null, deal_count = null, last_activity_at = null',
    replacement: 'created_at = created_at',
    caughtBy: ['src/server/work/erasure/erase-customer.test.ts', 'a person who is erased'],
  },
  {
    name: 'the company that an erased person’s was merged into loses its name',
    file: 'src/server/work/erasure/delete-contact.ts',
    text: 'if (standing?.recordId === companyRecordId) {',
    replacement: 'if (standing) {',
    caughtBy: ['src/server/work/erasure/records-of-others.test.ts', 'leaves the company alone into which'],
  },
  {
    name: 'a company that others share loses its domain with an erased person',
    file: 'src/server/work/erasure/delete-contact.ts',
    text: 'domain: !isShared && hosts.has(host),',
    replacement: 'domain: hosts.has(host),',
    caughtBy: ['src/server/work/erasure/records-of-others.test.ts', 'leaves its domain to a company that'],
  },
  {
    name: 'what people entered in a company is lost with an erased person',
    file: 'src/server/work/erasure/delete-contact.ts',
    text: 'const name = its.name ? pseudonym : null',
    replacement: 'const name = pseudonym',
    caughtBy: ['src/server/work/erasure/records-of-others.test.ts', 'leaves the name and the domain that'],
  },
  {
    name: 'whoever is erased already is erased again, and told again',
    file: 'src/server/work/erasure/erase-customer.ts',
    text: 'if (erasedBefore) return',
    replacement: 'if (erasedBefore === "") return',
    caughtBy: [erasure, 'is in no table any more'],
  },
  {
    name: 'the contact of somebody else that is deleted with a merged one',
    file: 'src/server/work/erasure/delete-contact.ts',
    text: 'contact.recordId === contactRecordId && !isOfOthers',
    replacement: '!isOfOthers',
    caughtBy: [ofOthers, 'stays where it was merged into that of somebody else'],
  },
  {
    name: 'the contact of an active customer that is deleted with an erased one',
    file: 'src/server/work/erasure/delete-contact.ts',
    text: 'isContactOfOthers(tenant, access.portalId, contactRecordId)',
    replacement: "isContactOfOthers(tenant, access.portalId, 'none')",
    caughtBy: [ofOthers, 'stays where another customer is found by it'],
  },
  {
    name: 'a contact that counts as deleted after any 404',
    file: 'src/server/providers/hubspot/records.ts',
    text: 'stands.then(() => false, isNotFound)',
    replacement: 'stands.then(() => true, () => true)',
    caughtBy: [ofOthers, 'is not called deleted when'],
  },
]
