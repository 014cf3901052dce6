import { isAbsolute } from 'node:path'
import { ConfigError } from './config-error.ts'

/** Where the European Central Bank's rates are: an address, or the path of a file or folder; null reads none. */
export function readRatesPlace(text: string | undefined): string | null {
  if (text === undefined) return null
  if (isAbsolute(text) || /^https?:\/\/[^\s/]+\/\S*$/.test(text)) return text
  throw new ConfigError(
    'ECB_RATES: must be an address such as https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip, or the path of a file or folder',
  )
}
