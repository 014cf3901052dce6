import type { Match } from '#contract/matches.ts'
import { groupByCompany } from '#domain/company-groups.ts'
import { counted } from '../../components/counted.ts'
import { bestCandidate, newCompanyName } from './decisions.ts'

/** The selected customers, by what can be done with them. */
export type Selection = { all: Match[]; acceptable: Match[]; creatable: Match[]; companiesToCreate: number }

/** A company is created only for a customer without a candidate that has a name for it. */
export function selectionOf(all: Match[]): Selection {
  const acceptable = all.filter((match) => bestCandidate(match) !== undefined)
  const creatable = all.filter(
    (match) => bestCandidate(match) === undefined && newCompanyName(match) !== null,
  )
  return { all, acceptable, creatable, companiesToCreate: groupByCompany(creatable).length }
}

/** When HubSpot follows. `condition` is what the next sync waits for; empty if for nothing. */
export function whenText(condition: string, isAutomatic: boolean): string {
  if (condition !== '') return `with the next sync${condition}`
  return isAutomatic ? 'with the next automatic sync, within an hour' : 'with the next sync'
}

const recordsOf = (matches: readonly Match[]) =>
  counted(
    matches.reduce((sum, { recordCount }) => sum + recordCount, 0),
    'record',
  )

/** What accepting does in HubSpot. `besides`: the records of others that it attaches too, in words. */
export function acceptEffect(matches: readonly Match[], when: string, besides: string | null = null): string {
  const companies = new Set(matches.map((match) => bestCandidate(match)?.companyRecordId)).size
  return `Accept attaches ${recordsOf(matches)}${besides ?? ''} to ${counted(companies, 'company', 'companies')} in HubSpot ${when}.`
}

/** What creating companies does in HubSpot. */
export function createEffect(matches: readonly Match[], companies: number, when: string): string {
  return `Create makes ${counted(companies, 'company', 'companies')} in HubSpot at once and attaches ${recordsOf(matches)} ${when}.`
}

/** Why some of the selected have no company created; nothing where all have a candidate or a name. */
export function namelessEffect({ all, acceptable, creatable }: Selection): string[] {
  const count = all.length - acceptable.length - creatable.length
  if (count === 0) return []
  return [`${counted(count, 'customer')} ${count === 1 ? 'has' : 'have'} no name for a company.`]
}

const withoutSync = 'You can decide here, but nothing is synced to HubSpot'

/** The beginnings of the sentences that say what cannot be done, for `SyncObstacles`. */
export const hinderedTexts = {
  withoutHubspot: 'Customers are matched with companies in HubSpot, so nothing can be decided',
  withoutStripe: withoutSync,
  withoutObjects: withoutSync,
}

export const ignoreEffect = 'Ignore changes nothing in HubSpot.'
