import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { checkMissingAssociations, fixMissingAssociations } from '#contract/diagnostics.ts'
import type { ResponseOf } from '#contract/endpoint.ts'
import { call, serverText } from '../../client.ts'
import { logProblem } from '../../ui/problems/log-problem.ts'
import type { ActionProblem } from '../../ui/problems/problem-alert.tsx'
import { useToast } from '../../ui/toast.tsx'

export type CheckResults = ResponseOf<typeof checkMissingAssociations>['results']
export type FixType = 'transaction-to-subscription' | 'all'

const numberOf = (count: number) => count.toLocaleString('en-US')

/** Checks all associations and repairs them. A repair ends with another check. */
export function useAssociations(): {
  results: CheckResults | null
  /** What failed at the last try. */
  problem: ActionProblem | null
  isChecking: boolean
  isFixing: boolean
  check: () => void
  fix: (type: FixType) => void
} {
  const toast = useToast()
  // The last results stay on the screen during another check.
  const [results, setResults] = useState<CheckResults | null>(null)
  const [problem, setProblem] = useState<ActionProblem | null>(null)
  const begin = () => setProblem(null)
  const tell = (description: string) => {
    setProblem({ title: 'Error', description })
    toast({ title: 'Error', description, isError: true })
  }
  const showError = (error: unknown, fallback: string) => {
    logProblem(fallback, error)
    tell(serverText(error, `${fallback}. Check console for details.`))
  }
  const check = useMutation({
    mutationFn: () => call(checkMissingAssociations),
    onMutate: begin,
    onSuccess: ({ success, message, results: found }) => {
      if (!success) {
        tell(message || 'Failed to check associations')
        return
      }
      setResults(found)
      const { totalMissing, totalChecked } = found.associationCounts
      const description = `Found ${numberOf(totalMissing)} missing associations out of ${numberOf(totalChecked)} checked.`
      toast({ title: 'Check Complete', description })
    },
    onError: (error) => showError(error, 'Failed to check associations'),
  })
  const fix = useMutation({
    mutationFn: (associationType: FixType) => call(fixMissingAssociations, { body: { associationType } }),
    onMutate: begin,
    onSuccess: ({ success, message, fixResults: { attempted, successful } }) => {
      if (!success) {
        tell(message || 'Failed to fix associations')
        return
      }
      const description = `Successfully fixed ${numberOf(successful)} out of ${numberOf(attempted)} associations.`
      toast({ title: 'Associations Fixed', description })
      check.mutate()
    },
    onError: (error) => showError(error, 'Failed to fix associations'),
  })
  return {
    results,
    problem,
    isChecking: check.isPending,
    isFixing: fix.isPending,
    check: () => check.mutate(),
    fix: (type) => fix.mutate(type),
  }
}
