import { type CrmKind, type CrmTarget, crmKinds } from '#domain/crm-record.ts'
import type { CrmComparison, CrmDifference, CrmPort } from '../../crm.ts'
import type { CrmAccess } from '../../crm-directory.ts'
import { propertiesAnswer, schemasAnswer } from '../answers.ts'
import type { HubspotClient } from '../client.ts'
import { HubspotError } from '../hubspot-error.ts'
import { associationInWords } from '../to-hubspot/object-plan.ts'
import { getSpelling } from '../to-hubspot/object-spelling.ts'
import { spellings } from '../to-hubspot/our-objects.ts'
import { type PropertySpelling, typeInWords } from '../to-hubspot/property.ts'
import { paths } from '../version.ts'
import {
  inspectConverted,
  isMadeByUs,
  lackingOptions,
  missingFields,
  missingTargets,
  propertiesOfSchema,
  type StandingProperty,
  type StandingSchema,
  schemaNamed,
  unusableBecause,
} from './inspect-schema.ts'
import { listSchemas } from './list-schemas.ts'

/** Finds our objects by name and says, property by property, how they differ from ours. It only reads. */
export function createCompareCalls(call: HubspotClient): Pick<CrmPort, 'compareObjects'> {
  return {
    async compareObjects(access, isConverted) {
      const schemas = await listSchemas(call, access)
      const deleted = await listDeleted(call, access).catch(noneWhenRefused)
      const subscriptionTypeId = schemaNamed(schemas, 'subscription')?.objectTypeId ?? null
      const compared: CrmComparison[] = []
      for (const kind of crmKinds) {
        const schema = schemaNamed(schemas, kind)
        const archived = schema ? await listArchived(call, access, schema.objectTypeId) : []
        compared.push(
          schema
            ? compareSchema(kind, schema, { archived, subscriptionTypeId, isConverted })
            : absent(kind, schemas, schemaNamed(deleted, kind)),
        )
      }
      return compared
    },
  }
}

async function listDeleted(call: HubspotClient, access: CrmAccess): Promise<StandingSchema[]> {
  const query = { archived: 'true' }
  return (await call(access, { method: 'GET', path: paths.schemas, query, answer: schemasAnswer })).results
}

async function listArchived(call: HubspotClient, access: CrmAccess, typeId: string): Promise<string[]> {
  const query = { archived: 'true' }
  const path = paths.properties(typeId)
  const read = call(access, { method: 'GET', path, query, answer: propertiesAnswer })
  const properties = await read.then(({ results }) => results).catch(noneWhenRefused)
  return properties.map(({ name }) => name)
}

/** What is archived only explains a mistake better, so the comparison goes on without it. */
function noneWhenRefused(error: unknown): [] {
  if (error instanceof HubspotError && !error.isWorthRetrying && error.kind !== 'unauthorized') return []
  throw error
}

function absent(
  kind: CrmKind,
  schemas: readonly StandingSchema[],
  deleted: StandingSchema | undefined,
): CrmComparison {
  const { name, singular, plural } = spellings[kind]
  const standing = { kind, objectTypeId: null, isMadeByUs: false }
  if (deleted !== undefined) {
    const text = `An object named ${name} was deleted, and HubSpot keeps its name. Restore it, or delete it for good and create it again.`
    return { ...standing, differences: [{ property: null, effect: 'blocks', text }] }
  }
  const called = schemas.find(({ labels }) => labels?.singular === singular || labels?.plural === plural)
  const text =
    called === undefined
      ? `There is no object named ${name} yet.`
      : `There is an object labeled ${plural}, but its internal name is ${called.name}. It has to be ${name}, and HubSpot never changes an internal name: delete that object and create it again.`
  return { ...standing, differences: [{ property: null, effect: 'blocks', text }] }
}

type Beside = { archived: readonly string[]; subscriptionTypeId: string | null; isConverted: boolean }

function compareSchema(
  kind: CrmKind,
  schema: StandingSchema,
  { archived, subscriptionTypeId, isConverted }: Beside,
): CrmComparison {
  const properties = propertiesOfSchema(schema)
  const standing = Object.values(spellings[kind].fields).flatMap((spelling) => {
    const property = properties.get(spelling.name)
    return property === undefined ? [] : (differenceOf(spelling, property) ?? [])
  })
  return {
    kind,
    objectTypeId: schema.objectTypeId,
    isMadeByUs: isMadeByUs(kind, schema),
    differences: mostUrgentFirst([
      ...missingFields(kind, schema).map((field) => missingProperty(kind, field, archived)),
      ...standing,
      ...(isConverted ? convertedDifferences(kind, schema, archived) : []),
      ...foreignRequired(kind, schema),
      ...missingTargets(kind, schema, subscriptionTypeId).map(missingAssociation),
      ...otherDisplay(kind, schema),
    ]),
  }
}

/** Records are complete without converted amounts, so nothing about these blocks the object. */
function convertedDifferences(
  kind: CrmKind,
  schema: StandingSchema,
  archived: readonly string[],
): CrmDifference[] {
  const { usable, missing } = inspectConverted(kind, schema)
  return Object.entries(spellings[kind].converted).flatMap(([field, spelling]): CrmDifference[] => {
    if (usable.includes(field)) return []
    if (missing.includes(field)) return [missingProperty(kind, field, archived)]
    const text = `has another form than ${typeInWords(spelling)}, so nothing is written to it. Delete it in HubSpot and create it again.`
    return [{ property: spelling.name, effect: 'looks', text }]
  })
}

const urgency = { blocks: 0, missing: 1, looks: 2 }

function mostUrgentFirst(differences: CrmDifference[]): CrmDifference[] {
  return differences.toSorted((a, b) => urgency[a.effect] - urgency[b.effect])
}

function missingProperty(kind: CrmKind, field: string, archived: readonly string[]): CrmDifference {
  const spelling = getSpelling(kind, field)
  const { name: property } = spelling
  const isKey = field === spellings[kind].key
  const effect = isKey ? 'blocks' : 'missing'
  const unique = isKey ? ', with "Require unique values for this property" switched on' : ''
  const text = archived.includes(property)
    ? `is archived. Restore it in HubSpot's settings of properties${unique}.`
    : `is missing. Create it as ${typeInWords(spelling)}${unique}.`
  return { property, effect, text }
}

function differenceOf(spelling: PropertySpelling, property: StandingProperty): CrmDifference | null {
  const { name } = spelling
  const again = 'Delete it in HubSpot and create it again'
  switch (unusableBecause(spelling, property)) {
    case 'type':
      return {
        property: name,
        effect: 'blocks',
        text: `has the type ${property.type}, but has to be ${typeInWords(spelling)}. ${again}.`,
      }
    case 'calculated':
      return {
        property: name,
        effect: 'blocks',
        text: `is calculated by HubSpot, so nothing can be written to it. ${again} as ${typeInWords(spelling)}.`,
      }
    case 'unique':
      return {
        property: name,
        effect: 'blocks',
        text: `allows the same value twice, which HubSpot never changes later. ${again}, with "Require unique values for this property" switched on.`,
      }
    default:
      return otherOptions(spelling, property)
  }
}

function otherOptions(
  { name, options = [] }: PropertySpelling,
  property: StandingProperty,
): CrmDifference | null {
  const standing = property.options ?? []
  const lacking = lackingOptions(options, standing)
  if (lacking.length === 0) return null
  const others = standing.filter(({ value }) => !options.some((option) => option.value === value))
  const values = (list: readonly { value: string }[]) => list.map(({ value }) => value).join(', ')
  const beside = others.length === 0 ? '' : ` It has others instead: ${values(others)}.`
  const text = `lacks the options with the internal values ${values(lacking)}.${beside}`
  return { property: name, effect: 'missing', text }
}

/** Tributary never fills these, so HubSpot would refuse every new record. */
function foreignRequired(kind: CrmKind, schema: StandingSchema): CrmDifference[] {
  const ours = Object.values(spellings[kind].fields).map(({ name }) => name)
  return (schema.requiredProperties ?? [])
    .filter((property) => !ours.includes(property))
    .map((property) => ({
      property,
      effect: 'blocks',
      text: 'is required, but Tributary does not fill it. Make it optional.',
    }))
}

function missingAssociation(target: CrmTarget): CrmDifference {
  return {
    property: null,
    effect: 'missing',
    text: `The association with ${associationInWords(target)} is missing.`,
  }
}

/** What only changes how records look and are found in HubSpot. */
function otherDisplay(kind: CrmKind, schema: StandingSchema): CrmDifference[] {
  const { primaryDisplay, secondaryDisplay, searchable, singular, plural } = spellings[kind]
  const nameOf = (field: string) => getSpelling(kind, field).name
  const lacking = (ours: readonly string[], standing: readonly string[] | undefined) =>
    standing === undefined ? [] : ours.map(nameOf).filter((name) => !standing.includes(name))
  const found: string[] = []
  const { labels, primaryDisplayProperty } = schema
  if (labels !== undefined && (labels.singular !== singular || labels.plural !== plural))
    found.push(`It is labeled ${labels.singular} and ${labels.plural}, not ${singular} and ${plural}.`)
  if (primaryDisplayProperty !== undefined && primaryDisplayProperty !== nameOf(primaryDisplay))
    found.push(`Its primary display property is ${primaryDisplayProperty}, not ${nameOf(primaryDisplay)}.`)
  const undisplayed = lacking(secondaryDisplay, schema.secondaryDisplayProperties)
  if (undisplayed.length > 0)
    found.push(`Not among the secondary display properties: ${undisplayed.join(', ')}.`)
  const unsearched = lacking(searchable, schema.searchableProperties)
  if (unsearched.length > 0) found.push(`Not among the searchable properties: ${unsearched.join(', ')}.`)
  return found.map((text) => ({ property: null, effect: 'looks', text }))
}
