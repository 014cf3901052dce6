/** The error envelope of Stripe's v1 API. */
export type RefusalBody = {
  error: {
    type: 'invalid_request_error' | 'api_error'
    message: string
    code?: string
    param?: string
    doc_url?: string
  }
}

type RefusalDetails = {
  code?: string | undefined
  param?: string | undefined
  type?: RefusalBody['error']['type']
  headers?: Readonly<Record<string, string>>
}

/** An error answer in Stripe's words. `status` is the HTTP status. */
export class Refusal extends Error {
  readonly status: number
  readonly body: RefusalBody
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, message: string, details: RefusalDetails = {}) {
    super(message)
    this.name = 'Refusal'
    this.status = status
    this.headers = details.headers ?? {}
    const { code, param } = details
    this.body = {
      error: {
        ...(code === undefined ? {} : { code, doc_url: docUrl(code) }),
        message,
        ...(param === undefined ? {} : { param }),
        type: details.type ?? 'invalid_request_error',
      },
    }
  }
}

/** "No such invoice: 'in_x'": 404 for the object asked for, 400 where an id is only a parameter. */
export function noSuch(status: 400 | 404, noun: string, id: string, param: string): Refusal {
  return new Refusal(status, `No such ${noun}: '${id}'`, { code: 'resource_missing', param })
}

export function unknownParameter(name: string): Refusal {
  return unknownParameters([name])
}

/** The message names all of them, `param` the first. */
export function unknownParameters(names: readonly string[]): Refusal {
  const [first] = names
  const noun = names.length === 1 ? 'parameter' : 'parameters'
  const message = `Received unknown ${noun}: ${names.join(', ')}`
  return new Refusal(400, message, { code: 'parameter_unknown', param: first })
}

/** Stripe would answer this request; the simulator cannot, and refuses instead of guessing. */
export function notSimulated(what: string): Refusal {
  return new Refusal(501, `The simulated Stripe API does not cover ${what}.`, {
    type: 'api_error',
    headers: { 'x-simulated-fault': 'not-simulated' },
  })
}

function docUrl(code: string): string {
  return `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}`
}
