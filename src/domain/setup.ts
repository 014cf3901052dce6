/** The wizard's steps in order. People see `objects` only when the CRM objects could not be created. */
export const setupSteps = ['hubspot', 'stripe', 'objects', 'import', 'sync', 'finish'] as const
export type SetupStep = (typeof setupSteps)[number]

const back: Partial<Record<SetupStep, SetupStep>> = {
  stripe: 'hubspot',
  objects: 'stripe',
  import: 'stripe',
  sync: 'import',
  finish: 'sync',
}

/** The step that the Back button leads to; undefined on the first. */
export function stepBefore(step: SetupStep): SetupStep | undefined {
  return back[step]
}

const forward: Partial<Record<SetupStep, SetupStep>> = {
  hubspot: 'stripe',
  stripe: 'import',
  objects: 'import',
  import: 'sync',
  sync: 'finish',
}

export function stepAfter(step: SetupStep): SetupStep | undefined {
  return forward[step]
}

export function isSetupStep(value: string): value is SetupStep {
  return (setupSteps as readonly string[]).includes(value)
}
