import { useMutation, useMutationState, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { listMatches, type Match, undoMatchDecision } from '#contract/matches.ts'
import { call, endpointKey, serverText } from '../../client.ts'
import { counted } from '../../components/counted.ts'
import { customerTitle } from '../../components/customers/customer-title.ts'
import { reviewKeys } from '../../components/customers/review-keys.ts'
import { useSingleKeys } from '../../components/frame/preferences.ts'
import { toldObstacles } from '../../components/runs/sync-obstacles.tsx'
import { useRefreshRecords } from '../../queries/records.ts'
import { useObstacles } from '../../queries/session.ts'
import { useToast } from '../../ui/toast.tsx'
import type { PlannedDecision } from './decisions.ts'
import { hinderedTexts } from './effects.ts'

/** What was not done, as it stays where the decision was made. */
export type Failure = { title: string; lines: readonly FailedLine[]; place: Place }
/** Where a decision is made. */
type Place = 'list' | 'dialog'
/** The key tells customers of the same name apart. */
type FailedLine = { key: string; text: string }

export type Decisions = {
  decide: (decision: PlannedDecision, place?: Place) => Promise<boolean>
  undo: (decisionId: string) => Promise<void>
  /** Undoes the last decision of this visit, or says that there is none. */
  undoLast: () => Promise<void>
  /** How many customers were decided in this visit, without what was undone. */
  decidedCount: number
  isBusy: boolean
  /** The customers whose decision is being sent, or waits for the one before it. */
  sendingIds: ReadonlySet<string>
  /** Why nothing can be decided; null while it can. */
  barred: string | null
  /** Answers a key that would decide. */
  tellBarred: () => void
  /** Whether that or something that is being sent keeps the buttons off. */
  isOff: boolean
  failure: Failure | null
  dismiss: () => void
}

/** `told`: the failure that was shown when it was made. */
type Sent = { decision: PlannedDecision; place: Place; told: Failure | null }

const mutationKey = ['match-decision']
/** One is sent after another, so that the last one made is the last one saved. */
const scope = { id: 'match-decisions' }

type Listed = { matches: Match[]; totalCount: number; isCapped: boolean }

/** Sends decisions and their undo, says how each ended, and keeps what failed. `onUndone` hears of it before the list does. */
export function useDecisions(onUndone: () => void): Decisions {
  const toast = useToast()
  const refreshRecords = useRefreshRecords()
  const removeDecided = useRemoveDecided()
  const { barred, tellBarred } = useBarred()
  const [areSingleKeysOn] = useSingleKeys()
  const visit = useVisit()
  const { failure, setFailure, fail, settle } = useFailure()
  const undoing = useMutation({
    scope,
    mutationFn: (decisionId: string) => call(undoMatchDecision, { body: { decisionId } }),
    onSuccess: ({ message, outcomes }, decisionId) => {
      visit.forget(decisionId)
      const kept = outcomes.flatMap((one, at) => (one.isDone ? [] : [{ key: String(at), text: one.message }]))
      if (kept.length > 0) setFailure({ title: 'Not undone for every customer', lines: kept, place: 'list' })
      toast({ title: 'Undone', description: message })
      onUndone()
    },
    onError: (error) => fail('Not undone', said(error, 'An error occurred while undoing your decision.')),
    onSettled: () => void refreshRecords(),
  })
  const undo = (decisionId: string) => undoing.mutateAsync(decisionId).then(ignoreResult, ignoreResult)
  const sendingIds = useSendingIds()
  const oneAtATime = useOneAtATime()
  const deciding = useMutation({
    mutationKey,
    scope,
    mutationFn: ({ decision }: Sent) => decision.send(),
    onSuccess: ({ message, decisionId, refused }, { decision: { about }, place, told }) => {
      const names = new Map(about.map((match) => [match.customerId, customerTitle(match)]))
      const lines = refused.map(({ customerId, message: why }) => ({
        key: customerId,
        text: `${names.get(customerId) ?? customerId}: ${why}`,
      }))
      const undone = new Set(refused.map(({ customerId }) => customerId))
      removeDecided(about.filter(({ customerId }) => !undone.has(customerId)))
      if (decisionId === null && lines.length > 0) return fail('Not saved', lines, place, told)
      visit.add(decisionId, about.length - refused.length)
      settle(told, lines.length === 0 ? null : { title: 'Not saved for every customer', lines, place })
      const [first, ...others] = about
      toast({
        // The customer has left the list by then.
        title: first === undefined || others.length > 0 ? 'Saved' : `Saved for ${customerTitle(first)}`,
        description: message,
        action: decisionId === null ? undefined : undoAction(() => void undo(decisionId), areSingleKeysOn),
      })
    },
    onError: (error, { decision: { about }, place, told }) =>
      fail('Not saved', said(error, 'An error occurred while saving your decision.', about), place, told),
    // This happens after a failure too, because somebody else may have decided first.
    onSettled: () => void refreshRecords(),
  })
  const isBusy = deciding.isPending || undoing.isPending
  return {
    decide: async (decision, place = 'list') => {
      if (barred !== null) {
        tellBarred()
        return false
      }
      return oneAtATime(decision, () =>
        visit.during(deciding.mutateAsync({ decision, place, told: failure }).then(isMade, () => false)),
      )
    },
    undo,
    undoLast: async () => {
      if (barred !== null) return tellBarred()
      return visit.afterwards((last) =>
        last === undefined ? toast({ title: 'Nothing to undo.', description: whatUndoCovers }) : undo(last),
      )
    },
    decidedCount: visit.decidedCount,
    isBusy,
    sendingIds,
    barred,
    tellBarred,
    isOff: isBusy || barred !== null,
    failure,
    dismiss: () => setFailure(null),
  }
}

/** Why nothing can be decided while HubSpot cannot be used. `tellBarred` says so, also to a screen reader. */
function useBarred() {
  const toast = useToast()
  const obstacles = useObstacles()
  const [first] = obstacles.isHubspotUsable ? [] : toldObstacles({ obstacles, ...hinderedTexts })
  return {
    barred: first?.text ?? null,
    tellBarred: () => {
      if (first !== undefined) toast({ title: first.title, description: first.text, isError: true })
    },
  }
}

/** Sends nothing about a customer while something about it is being sent: a second press comes before the buttons are off. */
function useOneAtATime() {
  const begun = useRef(new Set<string>())
  return async ({ about }: PlannedDecision, send: () => Promise<boolean>): Promise<boolean> => {
    const ids = about.map(({ customerId }) => customerId)
    if (ids.some((id) => begun.current.has(id))) return false
    for (const id of ids) begun.current.add(id)
    const isDone = await send()
    for (const id of ids) begun.current.delete(id)
    return isDone
  }
}

function useSendingIds(): ReadonlySet<string> {
  const filters = { mutationKey, status: 'pending' } as const
  const sent = useMutationState({ filters, select: ({ state }) => state.variables as Sent })
  return new Set(sent.flatMap(({ decision }) => decision.about.map(({ customerId }) => customerId)))
}

/** Keeps what was not done. */
function useFailure() {
  const toast = useToast()
  const [failure, setFailure] = useState<Failure | null>(null)
  /** Replaces what was told when a decision was made. What failed since stays: it is of a decision before it. */
  const settle = (told: Failure | null, now: Failure | null) =>
    setFailure((kept) => {
      if (kept === null || kept === told) return now
      return now === null ? kept : { ...now, lines: [...kept.lines, ...now.lines] }
    })
  const fail = (title: string, lines: readonly FailedLine[], place: Place = 'list', told = failure) => {
    settle(told, { title, lines, place })
    // The dialog says it beside the button, and once is enough.
    if (place === 'dialog') return
    const description = lines.length === 1 ? lines[0]?.text : counted(lines.length, 'customer')
    toast({ title, description, isError: true })
  }
  return { failure, setFailure, fail, settle }
}

const ignoreResult = () => {}

/** Whether anything was decided. */
const isMade = ({ decisionId, refused }: Awaited<ReturnType<PlannedDecision['send']>>) =>
  decisionId !== null || refused.length === 0

/** Why a call failed, with the customer: decisions about several may be under way. */
function said(error: Error, otherwise: string, about: readonly Match[] = []): FailedLine[] {
  const text = serverText(error, otherwise)
  const [only, ...others] = about
  if (only === undefined) return [{ key: '', text }]
  return [{ key: only.customerId, text: others.length > 0 ? text : `${customerTitle(only)}: ${text}` }]
}

const whatUndoCovers = 'U undoes what you decided since you opened Match Review.'

function undoAction(onAct: () => void, areSingleKeysOn: boolean) {
  const elsewhere = 'Undo it under Recent decisions on this page'
  if (!areSingleKeysOn) return { label: 'Undo', elsewhere, onAct }
  const { key } = reviewKeys.undo
  return { label: 'Undo', key, elsewhere: `Press ${key}. ${elsewhere}`, onAct }
}

/** A decision, and how many customers it decided. Without an id it cannot be undone. */
type Made = { decisionId: string | null; customers: number }

/** Remembers the decisions of this visit, so that the last one can be undone without naming it. */
function useVisit() {
  const made = useRef<readonly Made[]>([])
  const [decidedCount, setDecidedCount] = useState(0)
  /** What is being sent, so that an undo right after a decision does not mean the one before. */
  const sending = useRef<Promise<unknown>>(Promise.resolve())
  const during = <Result>(sent: Promise<Result>): Promise<Result> => {
    sending.current = sent
    return sent
  }
  return {
    add: (decisionId: string | null, customers: number) => {
      made.current = [...made.current, { decisionId, customers }]
      setDecidedCount((count) => count + customers)
    },
    forget: (decisionId: string) => {
      const undone = made.current.find((one) => one.decisionId === decisionId)
      made.current = made.current.filter((one) => one !== undone)
      setDecidedCount((count) => count - (undone?.customers ?? 0))
    },
    decidedCount,
    during,
    afterwards: (act: (last: string | undefined) => Promise<void> | void): Promise<void> =>
      during(sending.current.then(() => act(made.current.at(-1)?.decisionId ?? undefined))),
  }
}

/** Takes decided customers out of the shown list at once; the server's answer follows. */
function useRemoveDecided(): (decided: readonly Match[]) => void {
  const client = useQueryClient()
  return (decided) => {
    const gone = new Set(decided.map(({ customerId }) => customerId))
    client.setQueriesData<Listed>({ queryKey: endpointKey(listMatches) }, (listed) => {
      if (listed === undefined) return listed
      const matches = listed.matches.filter(({ customerId }) => !gone.has(customerId))
      return { ...listed, matches, totalCount: listed.totalCount - listed.matches.length + matches.length }
    })
  }
}
