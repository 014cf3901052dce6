import { useState } from 'react'
import type { Match } from '#contract/matches.ts'
import { useCompanySearch } from './company-search.tsx'
import { firstSearch, newCompanyName } from './decisions.ts'
import { useDomainChoice } from './domain-switch.tsx'

/** What a person typed and chose for a customer before a decision. */
type Draft = { search?: string; newName?: string; isForDomain?: boolean }

export type DraftInDialog = { draft: Draft; changeDraft: (changed: Draft) => void }

/** Keeps the draft of every customer until the dialog closes, and returns that of one. */
export function useDraft(customerId: string): DraftInDialog {
  const [drafts, setDrafts] = useState<Readonly<Record<string, Draft>>>({})
  const changeDraft = (changed: Draft) =>
    setDrafts((before) => ({ ...before, [customerId]: { ...before[customerId], ...changed } }))
  return { draft: drafts[customerId] ?? {}, changeDraft }
}

/** The fields of a customer as the draft says; what the person left alone is suggested. */
export function useDraftFields(match: Match, { draft, changeDraft }: DraftInDialog) {
  const { search = firstSearch(match), newName = newCompanyName(match) ?? '', isForDomain = false } = draft
  return {
    search: useCompanySearch(search, (typed) => changeDraft({ search: typed })),
    domainChoice: useDomainChoice(match, isForDomain, (isOn) => changeDraft({ isForDomain: isOn })),
    newName: { typed: newName, onType: (typed: string) => changeDraft({ newName: typed }) },
  }
}
