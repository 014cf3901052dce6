import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readAppSettings } from '#server/config.ts'
import { appFilePaths, appFiles, distributions, uidToKeep } from '#server/providers/hubspot/app/app-files.ts'
import { redirectProblem, redirectUrlOf } from '#server/providers/hubspot/app/redirect.ts'
import { ConfigError } from '#server/settings/config-error.ts'
import { makeFolder } from './make-folder.ts'
import { oneLine } from './one-line.ts'
import { WrongCall } from './usage.ts'

/**
 * Writes the two files of the installation's HubSpot app into the folder, and says which commands come next. Exit code 2
 * with one line for a wrong setting, 1 when the folder cannot be used. Throws WrongCall for another distribution.
 */
export function writeHubspotApp(folder: string, wanted: string): number {
  const distribution = distributions.find((name) => name === wanted)
  if (distribution === undefined) throw new WrongCall(`There is no distribution ${wanted}`)
  try {
    const { publicUrl, scopes } = readAppSettings(process.env)
    const problem = redirectProblem(publicUrl)
    if (problem?.isRefused) return refuse(`setting PUBLIC_URL: ${problem.text}`, 2)
    const standing = join(folder, appFilePaths.app)
    const uid = uidToKeep(existsSync(standing) ? readFileSync(standing, 'utf8') : null, distribution)
    const files = appFiles({ uid, distribution, redirectUrl: redirectUrlOf(publicUrl), scopes })
    for (const [path, text] of Object.entries(files)) {
      makeFolder(dirname(join(folder, path)))
      writeFileSync(join(folder, path), text)
    }
    process.stdout.write(whatComesNext(folder, Object.keys(files), distribution, problem?.text))
    return 0
  } catch (error) {
    return refuse(oneLine(error), error instanceof ConfigError ? 2 : 1)
  }
}

function refuse(message: string, code: number): number {
  process.stderr.write(`Tributary cannot write the app of HubSpot: ${message}\n`)
  return code
}

function whatComesNext(folder: string, written: string[], distribution: string, warning?: string): string {
  const accounts =
    distribution === 'private'
      ? "On the app's page Distribution, name the accounts that may install it: at most ten."
      : 'At most 25 accounts may install it before HubSpot has listed it in its marketplace.'
  return `Wrote ${written.map((path) => join(folder, path)).join(' and ')}.
${warning === undefined ? '' : `\nWarning: ${warning}\n`}
Next, with HubSpot's own command line (8.3.0 or newer):

  npm install -g @hubspot/cli
  hs account auth
  cd ${folder}
  hs project upload
  hs project open

On the page that opens, press the name of the app, then Auth. Copy the client id and the client secret into
HUBSPOT_CLIENT_ID and HUBSPOT_CLIENT_SECRET. ${accounts}

If the upload says that a scope could not be recognized, name this scope in HUBSPOT_WITHOUT_SCOPES, run this command
again and upload again. Keep the setting for every process: the file and the consent page must ask for the same.
`
}
