import { type SetupStep, setupSteps, stepBefore } from '#domain/setup.ts'

export type SetupFlags = {
  hubspotConnected: boolean
  stripeConnected: boolean
  dataImported: boolean
  dataSynced: boolean
  setupComplete: boolean
}

export const stepLabels: Record<SetupStep, string> = {
  crm: 'Connect HubSpot',
  payments: 'Connect Stripe',
  objects: 'Custom Objects',
  import: 'Import Data',
  sync: 'Sync to HubSpot',
  finish: 'Review & Finish',
}

/** Returns the steps that a person sees; the objects step only on itself, and once it was passed without them. */
export function shownSteps(current: SetupStep, areObjectsLacking = false): SetupStep[] {
  const isPassed = areObjectsLacking && setupSteps.indexOf(current) > setupSteps.indexOf('objects')
  return setupSteps.filter((step) => step !== 'objects' || current === 'objects' || isPassed)
}

const flags: Partial<Record<SetupStep, keyof SetupFlags>> = {
  crm: 'hubspotConnected',
  payments: 'stripeConnected',
  import: 'dataImported',
  sync: 'dataSynced',
  finish: 'setupComplete',
}

/**
 * The step at which the setup goes on: the saved one, or the first after it that is not done. A disconnection saves the
 * first step, although later ones may be done again.
 */
export function stepToContinue(saved: SetupStep, progress: SetupFlags): SetupStep {
  const left = setupSteps.slice(setupSteps.indexOf(saved))
  const isSkipped = (step: SetupStep) => step === 'objects' && saved !== 'objects'
  return left.find((step) => !isSkipped(step) && !isStepReached(step, progress)) ?? saved
}

/** Says whether a step is really done. The objects step has no flag: it is needed only after a failure. */
export function isStepReached(step: SetupStep, progress: SetupFlags): boolean {
  const flag = flags[step]
  return flag !== undefined && progress[flag]
}

/**
 * Says whether a step counts as done only because it was passed, although its flag says no. A passed objects step is
 * shown only where there are none.
 */
export function isOnlyPassed(step: SetupStep, current: SetupStep, progress: SetupFlags | null): boolean {
  const flag = flags[step]
  const isLacking = step === 'objects' || (flag !== undefined && progress?.[flag] === false)
  return isStepDone(step, current, progress) && isLacking
}

/** A step is done when its flag is true or when it comes before the current step. */
export function isStepDone(step: SetupStep, current: SetupStep, progress: SetupFlags | null): boolean {
  const flag = flags[step]
  if (flag !== undefined && progress?.[flag]) return true
  return setupSteps.indexOf(step) < setupSteps.indexOf(current)
}

/** A step is open once it or the one before it is done: nobody gets ahead of what a step needs. */
export function isOpen(step: SetupStep, current: SetupStep, progress: SetupFlags | null): boolean {
  if (step === 'finish' && progress?.setupComplete) return false
  const before = stepBefore(step)
  return before === undefined || [step, before].some((one) => isStepDone(one, current, progress))
}
