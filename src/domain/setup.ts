/** The wizard's steps in order. People see `objects` only when the CRM objects could not be created. */
export const setupSteps = ['crm', 'payments', 'objects', 'import', 'sync', 'finish'] as const
export type SetupStep = (typeof setupSteps)[number]

const back: Partial<Record<SetupStep, SetupStep>> = {
  payments: 'crm',
  objects: 'payments',
  import: 'payments',
  sync: 'import',
  finish: 'sync',
}

/** The step that the Back button leads to; undefined on the first. */
export function stepBefore(step: SetupStep): SetupStep | undefined {
  return back[step]
}

const forward: Partial<Record<SetupStep, SetupStep>> = {
  crm: 'payments',
  payments: 'import',
  objects: 'import',
  import: 'sync',
  sync: 'finish',
}

export function stepAfter(step: SetupStep): SetupStep | undefined {
  return forward[step]
}

/** What a person claims to have done in the wizard. */
export type ClaimedSteps = {
  setupComplete?: boolean | undefined
  dataImported?: boolean | undefined
  dataSynced?: boolean | undefined
}

/** What is done: connections by role, and what counts since the last reset of the setup. */
export type DoneSteps = { crm: boolean; payments: boolean; dataImported: boolean; dataSynced: boolean }

/** Whether an import and a push ever came to their end, before the last reset or after it. */
export type EverDone = { import: boolean; push: boolean }

/**
 * Why a claim is refused; undefined when it may be saved. A client may repeat a claim from before a reset, because it still
 * finds that run; the answer then shows what counts now.
 */
export function unearnedReason(
  claimed: ClaimedSteps,
  done: DoneSteps,
  ever: EverDone,
  crmName: string,
): string | undefined {
  if (claimed.dataImported && !done.dataImported && !ever.import)
    return 'No import has completed yet. Import first.'
  if (claimed.dataSynced && !done.dataSynced && !ever.push)
    return `No sync to ${crmName} has completed yet. Sync first.`
  const isComplete = done.crm && done.payments && done.dataImported && done.dataSynced
  if (claimed.setupComplete && !isComplete)
    return 'The setup has steps that are not done yet. Finish them first.'
  return undefined
}
