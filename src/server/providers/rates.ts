/** Somebody who publishes exchange rates. */
export type RatesPort = {
  /** Whether asking costs nobody anything, as with a folder of the operator. */
  isOwn: boolean
  /** The texts of the files with rates by name, mostly one with all days. Throws if they cannot be had. */
  readFiles(): Promise<{ name: string; text: string }[]>
}
