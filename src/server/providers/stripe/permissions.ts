/** Names of permissions on Stripe's key page, by the word between 'rak_' and '_read' in its 403. */
export const permissionNames: Readonly<Record<string, string>> = {
  customer: 'Customers',
  subscription: 'Subscriptions',
  invoice: 'Invoices',
  product: 'Products',
  plan: 'Prices',
  price: 'Prices',
  coupon: 'Coupons',
  payment_method: 'Payment Methods',
  payment_intent: 'Payment Intents',
  event: 'Events',
  accounts_kyc_basic: 'Account',
}
