import type { WorldObject } from '../model/stripe-object.ts'
import { daySeconds } from '../time/calendar.ts'

/** The account that owns everything. */
export function renderAccount(id: string, opened: number): WorldObject {
  return {
    id,
    object: 'account',
    business_profile: {
      mcc: '5734',
      minority_owned_business_designation: null,
      name: 'Meadowlark Software',
      specified_commercial_transactions_act_url: null,
      support_address: null,
      support_email: 'help@meadowlark.example',
      support_phone: null,
      support_url: null,
      url: 'https://meadowlark.example',
    },
    business_type: 'company',
    charges_enabled: true,
    country: 'US',
    created: opened - 30 * daySeconds,
    default_currency: 'usd',
    details_submitted: true,
    email: 'owner@meadowlark.example',
    metadata: {},
    payouts_enabled: true,
    type: 'standard',
  }
}
