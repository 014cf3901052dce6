import { Alert } from '@mantine/core'

/** What was not done, and why or what to do. */
export type ActionProblem = { title: string; description: string }

/** Says in a dialog why its action failed; nothing while none did. */
export function ProblemAlert({ problem }: { problem: ActionProblem | null }) {
  if (problem === null) return null
  return (
    <Alert color="red" role="alert" title={problem.title}>
      {problem.description}
    </Alert>
  )
}
