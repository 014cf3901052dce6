import { useState } from 'react'
import { useNavigate } from 'react-router'
import { spellStep, updateSetupProgress } from '#contract/setup.ts'
import { type SetupStep, stepAfter } from '#domain/setup.ts'
import { call, serverText } from '../../client.ts'
import { paths } from '../../paths.ts'
import { useRefreshProgress } from '../../queries/session.ts'
import { useToast } from '../../ui/toast.tsx'

/** Saves the next step and opens it. `to` names the step when it is not the usual one. */
export function useAdvance(from: SetupStep): {
  advance: (to?: SetupStep) => Promise<void>
  isSaving: boolean
} {
  const navigate = useNavigate()
  const refreshProgress = useRefreshProgress()
  const toast = useToast()
  const [isSaving, setSaving] = useState(false)
  const advance = async (to: SetupStep | undefined = stepAfter(from)) => {
    if (to === undefined) return
    setSaving(true)
    try {
      await call(updateSetupProgress, { body: { currentStep: spellStep(to) } })
      await refreshProgress()
      await navigate(paths.setupStep(to))
    } catch (error) {
      const description = serverText(error, 'An error occurred while saving your progress.')
      toast({ title: 'Error saving progress', description, isError: true })
    } finally {
      setSaving(false)
    }
  }
  return { advance, isSaving }
}
