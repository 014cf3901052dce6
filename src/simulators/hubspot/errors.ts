/** The body of a HubSpot error, without what every answer adds (status, correlationId). Every field is optional. */
type ErrorBody = {
  readonly message: string
  readonly category?: string
  readonly subCategory?: string
  readonly context?: Readonly<Record<string, readonly string[]>>
  readonly errors?: readonly unknown[]
  readonly links?: Readonly<Record<string, string>>
}

/** An error answer of HubSpot. */
export class HubspotError extends Error {
  readonly status: number
  readonly body: ErrorBody
  /** Set if a person requested the failure by a typed value; becomes `x-simulated-fault`. */
  readonly fault: string | undefined

  constructor(status: number, body: ErrorBody, fault?: string) {
    super(body.message)
    this.status = status
    this.body = body
    this.fault = fault
  }
}

/** A refusal of one row that refuses its whole batch, with or without trace ids. */
export class WholeRefusal extends HubspotError {}

/** 400 with the category of every refused input. */
export function invalidInput(
  message: string,
  rest: Omit<ErrorBody, 'message' | 'category'> = {},
): HubspotError {
  return new HubspotError(400, { message, category: 'VALIDATION_ERROR', ...rest })
}

/** 404 for a missing or archived record or definition. */
export function notFound(message: string, rest: Omit<ErrorBody, 'message' | 'category'> = {}): HubspotError {
  return new HubspotError(404, { message, category: 'OBJECT_NOT_FOUND', ...rest })
}

/** 403 in the words HubSpot uses both for a scope not granted and for a plan that lacks the feature. */
export function missingScopes(anyOf: readonly string[]): HubspotError {
  return new HubspotError(403, {
    message:
      "This app hasn't been granted all required scopes to make this call. Read more about required scopes here: https://developers.hubspot.com/scopes.",
    category: 'MISSING_SCOPES',
    errors: [
      {
        message: 'One or more of the following scopes are required.',
        context: { requiredGranularScopes: [...anyOf] },
      },
    ],
    links: { scopes: 'https://developers.hubspot.com/scopes' },
  })
}
