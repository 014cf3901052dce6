/** Somebody who publishes exchange rates. */
export type RatesPort = {
  /** The text of the file with all days. Throws if it cannot be had. */
  readHistory(): Promise<string>
}
