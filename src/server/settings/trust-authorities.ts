import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { ConfigError } from './config-error.ts'

/**
 * Trusts the file of authorities where Node did not. Node reads the setting at its own start, so not from `.env`, and goes on
 * without a file that it cannot read.
 */
export function trustAuthorities({ authoritiesFile }: { authoritiesFile: string | null }): void {
  if (authoritiesFile === null || getCACertificates('extra').length > 0) return
  try {
    const text = readFileSync(authoritiesFile, 'utf8')
    // Node is content with none in the file beside its own.
    new X509Certificate(text)
    setDefaultCACertificates([...getCACertificates('default'), text])
  } catch {
    throw new ConfigError(
      'NODE_EXTRA_CA_CERTS: must be the path of a readable file with certificates in PEM form',
    )
  }
}
