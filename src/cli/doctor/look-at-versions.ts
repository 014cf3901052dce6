import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Symptom, symptomsOf } from './symptom.ts'

const { ok, warning } = symptomsOf('versions')
/** The major version that the packages contain, and the only one that is tested. */
const testedNode = 24

export function lookAtVersions(node = process.versions.node): Symptom[] {
  const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8'))
  const ours = ok(`Tributary ${manifest.version}`)
  const major = Number(node.split('.')[0])
  if (major === testedNode) return [ours, ok(`Node ${node}`)]
  return [
    ours,
    warning(`Node ${node} is not tested: start it by npm, whose packages contain Node ${testedNode}`),
  ]
}
