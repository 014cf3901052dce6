/** A fault planted into a copy of the product; the named test must notice it. */
export type Bug = {
  /** What would be wrong. */
  name: string
  file: string
  /** Occurs exactly once in the file. */
  text: string
  replacement: string
  /** The test file, and a part of the name of the test that notices it. */
  caughtBy: readonly [file: string, test: string]
}
