import type { ResponseOf } from '#contract/endpoint.ts'
import type { listSyncHistory } from '#contract/sync.ts'
import { counted } from '../counted.ts'

type Changed = Pick<ResponseOf<typeof listSyncHistory>['histories'][number], 'changes' | 'status'>

type ChangeText = { text: string; noun: 'subscription' | 'event' | 'link' | null }

/** Says what a run changed: '3 subscriptions, 4 events'; '-' where it was not counted, runs still, or failed before it could. */
export function changesText(run: Changed): string {
  return changeTexts(run)
    .map(({ text }) => text)
    .join(', ')
}

/** The same in its parts, each with what it counts. */
export function changeTexts({ changes, status }: Changed): ChangeText[] {
  if (changes === null) return [{ text: '-', noun: null }]
  const parts = [
    [changes.subscriptions, 'subscription'],
    [changes.events, 'event'],
    [changes.links, 'link'],
  ] as const
  const created = createdText(changes)
  const texts: ChangeText[] = [
    ...parts.flatMap(([count, noun]) => (count === 0 ? [] : [{ text: counted(count, noun), noun }])),
    ...(created === null ? [] : [{ text: created, noun: null }]),
  ]
  if (texts.length > 0) return texts
  const text = status === 'failed' || status === 'in_progress' ? '-' : 'No changes'
  return [{ text, noun: null }]
}

/** What a sync created in HubSpot beside its records: '6 new companies and 17 new contacts'; null for nothing. */
export function createdText({ companies, contacts }: NonNullable<Changed['changes']>): string | null {
  const parts = [
    companies ? [counted(companies, 'new company', 'new companies')] : [],
    contacts ? [counted(contacts, 'new contact')] : [],
  ].flat()
  return parts.length === 0 ? null : parts.join(' and ')
}
