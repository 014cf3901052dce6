import type { CrmKind } from '#domain/crm-record.ts'

/** A property of our records that holds an amount, and the property beside it that holds the amount's currency. */
export type CrmAmount = {
  property: string
  currencyProperty: string
  /** The property by which the CRM shows the amount's currency now; null: it shows a plain number. */
  boundTo: string | null
}

/** The amounts of one of our objects in a portal. */
export type CrmObjectAmounts = {
  kind: CrmKind
  objectTypeId: string
  isMadeByUs: boolean
  amounts: CrmAmount[]
}
