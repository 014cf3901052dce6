import type { Database } from '#server/store/postgres/database.ts'
import type { FetchStub } from '../providers/send-by.ts'

/** The fate of one step: the process dies before it or right after it, or the step is done and its answer lost. */
export const stepFates = ['before', 'after', 'answer lost'] as const
export type StepFate = (typeof stepFates)[number]

/** Observes both sides of an import and counts its steps: every request to the provider, every transaction. */
export type Steps = {
  around: (fetch: FetchStub) => FetchStub
  aroundDatabase: (database: Database) => Database
  /** Starts counting; if a step number is given, that step meets its fate. */
  begin(at?: { step: number; fate: StepFate }): AbortSignal
  /** The steps since the start, by kind. */
  readonly names: readonly string[]
}

/** The process is dead: none of its work may continue. */
export class Killed extends Error {
  constructor() {
    super('killed')
  }
}

export function countSteps(): Steps {
  let names: string[] = []
  let strikeAt: { step: number; fate: StepFate } | undefined
  let process = new AbortController()

  /** Runs a step with its fate. A dead process gets no further answer. */
  async function step<T>(name: string, loss: () => Error, work: () => Promise<T>): Promise<T> {
    const own = process
    own.signal.throwIfAborted()
    names.push(name)
    const fate = names.length === strikeAt?.step ? strikeAt.fate : undefined
    const die = (): never => {
      own.abort(new Killed())
      throw own.signal.reason
    }
    if (fate === 'before') die()
    const answer = await work()
    if (fate === 'after') die()
    if (fate === 'answer lost') throw loss()
    own.signal.throwIfAborted()
    return answer
  }

  return {
    around: (fetch) => (request) =>
      step(
        `GET ${new URL(request.url).pathname}`,
        () => new TypeError('fetch failed', { cause: new Error('read ECONNRESET') }),
        () => fetch(request),
      ),
    aroundDatabase: (database) =>
      new Proxy(database, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name, target)
          if (name !== 'transaction') return typeof value === 'function' ? value.bind(target) : value
          return () => ({
            execute: (work: Parameters<ReturnType<Database['transaction']>['execute']>[0]) =>
              step(
                'transaction',
                () => new Error('Connection terminated unexpectedly'),
                () => target.transaction().execute(work),
              ),
          })
        },
      }),
    begin(at) {
      names = []
      strikeAt = at
      process = new AbortController()
      return process.signal
    },
    get names() {
      return names
    },
  }
}
