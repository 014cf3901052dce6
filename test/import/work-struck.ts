import { expect } from 'vitest'
import type { ImportStage } from './stage-import.ts'
import { Killed, type StepFate, type Steps } from './steps.ts'

/**
 * Works on a run that is struck at one step, and takes it up again when it did not survive that. Gives what the step was,
 * for the words of a failure.
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
    // There is nothing to take up where the last step, the end of the run, was done.
    const next = await stage.claim(begun.run.id).catch(() => undefined)
    if (next) expect((await stage.work(next)).status).toBe('completed')
  }
  return `${strike.fate} step ${strike.step}: ${hit}`
}
