/** A fault put into a copy of the product, which the named test has to notice. */
export type Bug = {
  /** What would be wrong. */
  name: string
  file: string
  /** Stands exactly once in the file. */
  text: string
  replacement: string
  /** The file of the test, and a part of the name of what notices. */
  caughtBy: readonly [file: string, test: string]
}
