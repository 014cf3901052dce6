import type { Bug } from './bug.ts'

const stands = 'src/server/work/match/scenarios/company-stands.test.ts'
const law = 'src/server/work/match/scenarios/never-written-over.test.ts'
const takeOver = 'src/server/work/crm/take-over-objects.test.ts'
const bind = 'src/server/work/crm/bind-amounts.test.ts'
const unchanged = 'src/server/work/push/scenarios/unchanged.test.ts'
const byKey = 'src/server/work/connections/connect-crm-by-key.test.ts'
const creating = `        {
          path: paths.objectBatch(companyTypeId, 'create'),
          typeId: companyTypeId,
          keyProperty: companyKey,
          isUpsert: false,
        },
        wanted.map(toRow),`
const overwriting = `        {
          path: paths.objectBatch(companyTypeId, 'upsert'),
          typeId: companyTypeId,
          keyProperty: companyKey,
          isUpsert: true,
        },
        companies.map((company, at) => {
          const row = toRow(company, at)
          return { ...row, input: { ...row.input, id: row.key, idProperty: companyKey } }
        }),`

const syncNow = [
  'src/server/work/push/sync-subscription.test.ts',
  "syncs one customer's records at once",
] as const

/** Ways to overwrite existing companies in the CRM, or to rely on outdated ones. */
const unsent = ['src/server/store/crm/unsent.test.ts', 'is what a comparison of all finds'] as const
const kept = 'db/migrations/0027_changed_records.sql'

export const crmBugs: readonly Bug[] = [
  {
    name: 'a push that compares everything although nothing changed',
    file: 'src/server/work/push/push-scope.ts',
    text: `return isDue ? 'all' : readDue(tenant)`,
    replacement: `return isDue || true ? 'all' : readDue(tenant)`,
    caughtBy: [unchanged, 'reads no table whole'],
  },
  {
    name: 'a correction in the CRM after which a push compares only what changed here',
    file: 'src/server/store/crm/push-due.ts',
    text: `    .set({ compared_at: null })
    .where('organization_id', '=', tenant.organizationId)`,
    replacement: `    .set({ compared_at: null })
    .where('organization_id', '=', 0)`,
    caughtBy: [unchanged, 'does for a record that somebody edited'],
  },
  {
    name: 'a push that forgets what it wrote before the CRM was away',
    file: 'src/server/work/push/push-crm.ts',
    text: '      isBegun = true\n',
    replacement: '',
    caughtBy: ['src/server/work/push/push-crm.test.ts', 'waits for a CRM that is away for half a minute'],
  },
  {
    name: 'records that stay among those that HubSpot lacks',
    file: 'db/migrations/0042_outdated.sql',
    text: "where (state = 'confirmed' and outdated = 0 and updated_at <= confirmed_at) is not true",
    replacement: 'where true',
    caughtBy: unsent,
  },
  {
    name: 'records that count as synced although their subscription changed since',
    file: kept,
    text: 'create trigger unsent_moved after update on subscriptions',
    replacement: 'create trigger unsent_moved after insert on subscriptions',
    caughtBy: unsent,
  },
  {
    name: 'a count of what is synced that compares all rows with their records',
    file: 'src/server/store/crm/crm-links.ts',
    text: '(await areUnsentKept(tenant, portalId))\n    ?',
    replacement: '(await areUnsentKept(tenant, `no ${portalId}`))\n    ?',
    caughtBy: ['src/server/store/lists/of-record.test.ts', 'what is synced is counted without reading it'],
  },
  {
    name: 'subscriptions without figures among those that are not synced',
    file: 'src/server/store/crm/crm-links.ts',
    text: "(select count(*) ${unsent('subscription')} and ${isListed(tenant, 'subscription', sql`u`)})",
    replacement: "(select count(*) ${unsent('subscription')})",
    caughtBy: unsent,
  },
  {
    name: 'records that count as synced while their company is yet to follow',
    file: 'src/server/store/crm/crm-links.ts',
    text: "event: await findUntied(tenant, portalId, 'event', due),",
    replacement: 'event: [],',
    caughtBy: ['src/server/work/push/push-crm.test.ts', 'and until then it waits'],
  },
  {
    name: 'a record that is called synced while its company is yet to follow',
    file: 'src/server/store/crm/untied.ts',
    text: 'return untied.includes(subscription.id)',
    replacement: 'return untied.length < 0',
    caughtBy: ['src/server/work/push/push-crm.test.ts', 'and until then it waits'],
  },
  {
    name: 'records that are gone and still count as there',
    file: 'db/migrations/0042_outdated.sql',
    text: '(added.record_id is null, added.state, added.outdated, added.confirmed_at)',
    replacement: '(removed.record_id is null, added.state, added.outdated, added.confirmed_at)',
    caughtBy: unsent,
  },
  {
    name: 'another portal that is pushed to with the records of the one before',
    file: 'src/server/store/crm/push-due.ts',
    text: '  await sql`select settle_all_unsent(${tenant.organizationId}::integer)`.execute(tenant.sql)\n',
    replacement: '',
    caughtBy: unsent,
  },
  {
    name: 'a change that is not noted for the next push',
    file: 'db/migrations/0020_converted.sql',
    text: 'where (added.name, added.email) is distinct from',
    replacement: 'where (added.name, added.email) is not distinct from',
    caughtBy: [unchanged, 'does for a renamed customer'],
  },
  {
    name: 'a company renamed by whoever asks for it again',
    file: 'src/server/providers/hubspot/create-companies.ts',
    text: creating,
    replacement: overwriting,
    caughtBy: [stands, 'is found when they ask for it again'],
  },
  {
    name: 'a company written over in some order of what people do',
    file: 'src/server/providers/hubspot/create-companies.ts',
    text: creating,
    replacement: overwriting,
    caughtBy: [law, 'keep every value'],
  },
  {
    name: 'a company that people made another one of, taken by its former key',
    file: 'src/server/work/match/create-companies.ts',
    text: `if (!registrableDomains.includes(address.registrableDomain ?? '')) {`,
    replacement: 'if (false) {',
    caughtBy: [stands, 'is left alone also where it was changed after the last look'],
  },
  {
    name: 'a company forgotten that was made for a domain',
    file: 'src/server/work/match/decide-page.ts',
    text: `    isMadeFor(company, address) ||\n`,
    replacement: '',
    caughtBy: [stands, 'is neither renamed nor given its domain back'],
  },
  {
    name: 'a customer attached to what people made of its company',
    file: 'src/server/work/match/review/create-or-find.ts',
    text: 'return domain === null || registrableDomains.length === 0 || registrableDomains.includes(domain)',
    replacement: 'return true',
    caughtBy: [stands, 'is passed over once people made'],
  },
  {
    name: 'an object of somebody else written to without a question',
    file: 'src/server/work/crm/ensure-crm-objects.ts',
    text: 'if (object && !isOurs) return failed',
    replacement: 'if (object?.problem && !isOurs) return failed',
    caughtBy: [takeOver, 'are written to by nothing until a person has confirmed them'],
  },
  {
    name: 'the currency of an amount sent without its symbol',
    file: 'src/server/providers/hubspot/schemas/amounts.ts',
    text: 'json: { currencyPropertyName: currencyProperty, showCurrencySymbol: true }',
    replacement: 'json: { currencyPropertyName: currencyProperty }',
    caughtBy: [bind, 'show the currency of their record once confirmed'],
  },
  {
    name: 'amounts bound in another account than the one a person saw',
    file: 'src/server/work/crm/bind-amounts.ts',
    text: 'if (session.access.portalId !== confirmedPortalId)',
    replacement: "if (confirmedPortalId === '')",
    caughtBy: [bind, 'of another account than the confirmed one are refused'],
  },
  {
    name: 'amounts bound to a property that does not exist',
    file: 'src/server/providers/hubspot/schemas/amounts.ts',
    text: 'if (standing === undefined || findUsable(currency) === undefined) return []',
    replacement: 'if (standing === undefined) return []',
    caughtBy: [bind, 'are left out where their currency is gone'],
  },
  {
    name: 'amounts bound again that somebody has bound otherwise',
    file: 'src/server/work/crm/bind-amounts.ts',
    text: 'const isPlain = ({ boundTo }: CrmAmount) => boundTo === null',
    replacement: 'const isPlain = ({ boundTo, currencyProperty }: CrmAmount) => boundTo !== currencyProperty',
    caughtBy: [bind, 'are left as they are where somebody has bound them otherwise'],
  },
  {
    name: 'amounts bound in an object of somebody else',
    file: 'src/server/work/crm/bind-amounts.ts',
    text: '.filter((object) => isRecognized(object, known))',
    replacement: '.filter((object) => isRecognized(object, known) || true)',
    caughtBy: [bind, 'are left alone before a person has confirmed them'],
  },
  {
    name: 'an object taken over that does not fit',
    file: 'src/server/work/crm/take-over-objects.ts',
    text: 'if (blocking.length === 0) return found',
    replacement: 'if (blocking.length < 99) return found',
    caughtBy: [takeOver, 'are refused where they do not fit'],
  },
  {
    name: 'records left out of an object that stands in the place of ours',
    file: 'src/server/work/crm/take-over-objects.ts',
    text: '        await forgetKind(tenant, session.access.portalId, kind)\n',
    replacement: '',
    caughtBy: [takeOver, 'get every record anew'],
  },
  {
    name: 'a connection replaced by the key of another portal',
    file: 'src/server/work/connections/keep-crm-connection.ts',
    text: 'if (keepsPortal && standing',
    replacement: 'if (!keepsPortal && standing',
    caughtBy: [byKey, 'of another portal is refused'],
  },
  {
    name: 'a question about an account that got nothing',
    file: 'src/server/work/connections/keep-crm-connection.ts',
    text: 'isOther ? await findLastWrittenPortal(tenant) : undefined',
    replacement: 'isOther ? last : undefined',
    caughtBy: [
      'src/server/work/connections/scenarios/connect-crm-portal.test.ts',
      'is no question where nothing was written',
    ],
  },
  {
    name: 'a green light while nothing is in the CRM',
    file: 'src/server/api/runs/sync-state.ts',
    text: "if (await areNoneSent(tenant, crm.account_id ?? '')) return 'imported'",
    replacement: '',
    caughtBy: ['src/server/api/runs/sync-state.test.ts', 'says how the last import or push ended'],
  },
  {
    name: 'a service key that is shown to the calls of the app',
    file: 'src/server/work/connections/keep-crm-connection.ts',
    text: 'if (isByKey) return null',
    replacement: '',
    caughtBy: [byKey, 'pushes as a consent does'],
  },
  {
    name: 'a connection without objects, because its domain could not be read',
    file: 'src/server/work/connections/keep-crm-connection.ts',
    text: `could not be read')
    return null`,
    replacement: `could not be read')
    throw error`,
    caughtBy: ['src/server/work/connections/connect-crm.test.ts', 'does without the domain'],
  },
  {
    name: 'a service key given up at the first refusal',
    file: 'src/server/providers/hubspot/client.ts',
    text: 'if (refusals > 2) throw error',
    replacement: 'if (refusals > 1) throw error',
    caughtBy: [byKey, 'is not given up for a refusal that passes'],
  },
  {
    name: 'Sync now that forgets the customer it was pressed for',
    file: 'src/server/work/push/sync-subscription.ts',
    text: 'await notePushDue(tenant, subscription.customerId)',
    replacement: 'void notePushDue',
    caughtBy: syncNow,
  },
  {
    name: 'Sync now that brings back what others have deleted',
    file: 'src/server/work/push/push-scope.ts',
    text: 'if (onlyFailed || (retriesFailed && !onlyDue))',
    replacement: 'if (onlyFailed || retriesFailed)',
    caughtBy: syncNow,
  },
  {
    name: 'Sync now without a bound',
    file: 'src/server/work/push/sync-subscription.ts',
    text: 'if (wait > 0) {',
    replacement: 'if (wait > 1e9) {',
    caughtBy: ['src/server/work/push/sync-subscription.test.ts', 'is bounded for each organization'],
  },
  {
    name: 'an upsert that met another record and counts as written',
    file: 'src/server/providers/hubspot/batch-outcomes.ts',
    text: 'isUpsert ? undefined : existingIdIn(error)',
    replacement: 'existingIdIn(error)',
    caughtBy: ['src/server/providers/hubspot/batch-outcomes.test.ts', 'lacks the values of an upsert'],
  },
  {
    name: 'a record whose key a person changed, and a second one beside it',
    file: 'src/server/work/push/repair/reconcile-existing.ts',
    text: 'if (strays.length === 0) return {',
    replacement: 'if (strays.length >= 0) return {',
    caughtBy: ['src/server/work/push/scenarios/lost-key.test.ts', 'is written again'],
  },
]
