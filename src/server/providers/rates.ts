/** Somebody who publishes exchange rates. */
export type RatesPort = {
  /** Whether asking costs nobody anything, as with a folder of the operator. */
  isOwn: boolean
  /** The files with rates, mostly one with all days, the newest last. Throws if nobody can tell which there are. */
  listFiles(): Promise<RatesFile[]>
}

type RatesFile = {
  name: string
  /** Its text. Throws if it cannot be had, or is no file of rates by its form. */
  read(): Promise<string>
}
