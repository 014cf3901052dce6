import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { listMatches, type Match, undoMatchDecision } from '#contract/matches.ts'
import { call, endpointKey, serverText } from '../../client.ts'
import { useRefreshRecords } from '../../queries/records.ts'
import { useToast } from '../../ui/toast.tsx'
import type { PlannedDecision } from './decisions.ts'
import { nameOf } from './match-columns.tsx'

/** What was not done, as it stays on the page. */
export type Failure = { title: string; lines: readonly FailedLine[] }
/** The key tells customers of the same name apart. */
type FailedLine = { key: string; text: string }

export type Decisions = {
  decide: (decision: PlannedDecision) => Promise<boolean>
  undo: (decisionId: string) => Promise<void>
  isBusy: boolean
  failure: Failure | null
  dismiss: () => void
}

type Listed = { matches: Match[]; totalCount: number; isCapped: boolean }

/** Sends decisions and their undo, says how each ended, and keeps what failed. `onUndone` hears of it before the list does. */
export function useDecisions(onUndone: () => void): Decisions {
  const toast = useToast()
  const refreshRecords = useRefreshRecords()
  const removeDecided = useRemoveDecided()
  const [failure, setFailure] = useState<Failure | null>(null)
  const fail = (title: string, lines: readonly FailedLine[]) => {
    setFailure({ title, lines })
    toast({
      title,
      description: lines.length === 1 ? lines[0]?.text : `${lines.length} customers`,
      isError: true,
    })
  }
  const undoing = useMutation({
    mutationFn: (decisionId: string) => call(undoMatchDecision, { body: { decisionId } }),
    onSuccess: ({ message, outcomes }) => {
      const kept = outcomes.flatMap((one, at) => (one.isDone ? [] : [{ key: String(at), text: one.message }]))
      if (kept.length > 0) setFailure({ title: 'Not undone for every customer', lines: kept })
      toast({ title: 'Undone', description: message })
      onUndone()
    },
    onError: (error) => fail('Not undone', said(error, 'An error occurred while undoing your decision.')),
    onSettled: () => void refreshRecords(),
  })
  const undo = (decisionId: string) => undoing.mutateAsync(decisionId).then(ignoreResult, ignoreResult)
  const deciding = useMutation({
    mutationFn: (decision: PlannedDecision) => decision.send(),
    onSuccess: ({ message, decisionId, refused }, { about }) => {
      const names = new Map(about.map((match) => [match.customerId, nameOf(match)]))
      const lines = refused.map(({ customerId, message: why }) => ({
        key: customerId,
        text: `${names.get(customerId) ?? customerId}: ${why}`,
      }))
      const undone = new Set(refused.map(({ customerId }) => customerId))
      removeDecided(about.filter(({ customerId }) => !undone.has(customerId)))
      if (decisionId === null && lines.length > 0) return fail('Not saved', lines)
      setFailure(lines.length === 0 ? null : { title: 'Not saved for every customer', lines })
      const [first, ...others] = about
      toast({
        // The customer has left the list by then.
        title: first === undefined || others.length > 0 ? 'Saved' : `Saved for ${nameOf(first)}`,
        description: message,
        action: decisionId === null ? undefined : undoAction(() => void undo(decisionId)),
      })
    },
    onError: (error) => fail('Not saved', said(error, 'An error occurred while saving your decision.')),
    // This happens after a failure too, because somebody else may have decided first.
    onSettled: () => void refreshRecords(),
  })
  return {
    decide: (decision) =>
      deciding.mutateAsync(decision).then(
        ({ decisionId, refused }) => decisionId !== null || refused.length === 0,
        () => false,
      ),
    undo,
    isBusy: deciding.isPending || undoing.isPending,
    failure,
    dismiss: () => setFailure(null),
  }
}

const ignoreResult = () => {}

const said = (error: Error, otherwise: string) => [{ key: '', text: serverText(error, otherwise) }]

function undoAction(onAct: () => void) {
  return { label: 'Undo', elsewhere: 'Undo it under Recent decisions on this page', onAct }
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
