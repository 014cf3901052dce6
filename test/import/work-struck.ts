import { expect } from 'vitest'
import type { ImportStage } from './stage-import.ts'
import { Killed, type StepFate, type Steps } from './steps.ts'

/**
 * Works on a run that fails at one step, and resumes it if the process died. Returns the step's name for failure
 * messages.
 */
export async function workStruck(
  stage: ImportStage,
  begun: Awaited<ReturnType<ImportStage['start']>>,
  steps: Steps,
  strike: { step: number; fate: StepFate },
): Promise<string> {
  const outcome: unknown = await stage.work(begun, steps.begin(strike)).catch((error: unknown) => error)
  const hit = steps.names[strike.step - 1]
  steps.begin()
  if (outcome instanceof Error) {
    const isKnown = outcome instanceof Killed || outcome.message === 'Connection terminated unexpectedly'
    expect(isKnown, outcome.message).toBe(true)
    // If the last step, the end of the run, was done, there is nothing to resume.
    const next = await stage.claim(begun.run.id).catch(() => undefined)
    if (next) expect((await stage.work(next)).status).toBe('completed')
  }
  return `${strike.fate} step ${strike.step}: ${hit}`
}
