import { ratesPartMax } from '#contract/settings.ts'

/** A chosen file, and whose it is by its first line. */
export type RatesFile = { source: 'ecb' | 'csv'; text: string }

export async function readRatesFile(file: Blob): Promise<RatesFile> {
  const text = await file.text()
  const [first = ''] = text.split('\n', 1)
  return { source: /(^|,)\s*from\s*(,|$)/i.test(first.trim()) ? 'csv' : 'ecb', text }
}

/** Cuts a file between lines into parts that a call may carry, each with the first line. */
export function partsOf(text: string): string[] {
  const [header = '', ...lines] = text.split('\n')
  const parts: string[][] = [[]]
  let size = 0
  for (const line of lines) {
    if (size > 0 && size + line.length + 1 > ratesPartMax) {
      parts.push([])
      size = 0
    }
    parts.at(-1)?.push(line)
    size += line.length + 1
  }
  return parts
    .filter((part) => part.some((line) => line.trim() !== ''))
    .map((part) => [header, ...part].join('\n'))
}
