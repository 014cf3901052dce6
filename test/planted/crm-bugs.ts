import type { Bug } from './bug.ts'

const stands = 'src/server/work/match/scenarios/company-stands.test.ts'
const law = 'src/server/work/match/scenarios/never-written-over.test.ts'
const creating = `        {
          path: paths.objectBatch(companyTypeId, 'create'),
          typeId: companyTypeId,
          readPath,
          keyProperty: companyKey,
          isUpsert: false,
        },
        wanted.map(toRow),`
const overwriting = `        {
          path: paths.objectBatch(companyTypeId, 'upsert'),
          typeId: companyTypeId,
          readPath,
          keyProperty: companyKey,
          isUpsert: true,
        },
        companies.map((company, at) => {
          const row = toRow(company, at)
          return { ...row, input: { ...row.input, id: row.key, idProperty: companyKey } }
        }),`

/** Ways to overwrite existing companies in the CRM, or to rely on outdated ones. */
export const crmBugs: readonly Bug[] = [
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
    file: 'src/server/work/match/review-match.ts',
    text: 'return domain === null || registrableDomains.length === 0 || registrableDomains.includes(domain)',
    replacement: 'return true',
    caughtBy: [stands, 'is passed over once people made'],
  },
]
