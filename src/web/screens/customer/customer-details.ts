import type { getCustomer } from '#contract/customers/customers.ts'
import type { ResponseOf } from '#contract/endpoint.ts'

/** Everything that the screen of a customer shows beside its chart. */
export type CustomerDetails = ResponseOf<typeof getCustomer>
