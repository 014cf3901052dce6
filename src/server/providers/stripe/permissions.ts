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

/**
 * The permissions that a restricted key needs, by their words in Stripe's addresses. An import works without an optional
 * one: without Events it reads everything again, without Payment Intents it does not know how invoices were paid.
 */
export const neededPermissions = [
  { word: 'subscription', isOptional: false, use: 'what is subscribed, and since when' },
  { word: 'customer', isOptional: false, use: 'whose subscription it is' },
  { word: 'invoice', isOptional: false, use: 'what was billed' },
  { word: 'product', isOptional: false, use: 'names of plans' },
  { word: 'plan', isOptional: false, use: 'amounts and intervals' },
  { word: 'coupon', isOptional: false, use: 'discounts' },
  { word: 'payment_method', isOptional: false, use: 'how a customer pays' },
  { word: 'payment_intent', isOptional: true, use: 'how each invoice was paid' },
  { word: 'event', isOptional: true, use: 'what changed since the last import' },
] as const
export type NeededPermission = (typeof neededPermissions)[number]['word']
