import type { CrmObjectPlan } from '#server/providers/crm.ts'
import type { Bench } from './open-bench.ts'

/** The words of the instructions, as HubSpot's API calls these types. */
const types: Record<string, { type: string; fieldType: string }> = {
  'Single-line text': { type: 'string', fieldType: 'text' },
  'Multi-line text': { type: 'string', fieldType: 'textarea' },
  Number: { type: 'number', fieldType: 'number' },
  'Date picker': { type: 'date', fieldType: 'date' },
  'Date and time picker': { type: 'datetime', fieldType: 'date' },
  'Dropdown select': { type: 'enumeration', fieldType: 'select' },
}

type Change = {
  /** Other definitions of properties by name; null leaves one out. */
  properties?: Readonly<Record<string, object | null>>
  /** Fields of the object itself. */
  object?: object
}

/** An admin follows the instructions to the letter, but for the changes. Returns the id of each object type by name. */
export async function createByHand(
  bench: Bench,
  hubId: number,
  changes: Readonly<Record<string, Change | null>> = {},
): Promise<Record<string, string>> {
  const made: Record<string, string> = {}
  const targets: Record<string, string> = { Contacts: '0-1', Companies: '0-2' }
  for (const plan of bench.deps.crm.planObjects(false)) {
    const change = changes[plan.name]
    if (change === null) continue
    await bench.control('/_control/define-object', {
      hubId,
      ...bodyOf(plan, change?.properties ?? {}),
      associatedObjects: plan.associations.map((label) => targets[label]),
      ...change?.object,
    })
    const schemas = bench.simulator.portal(hubId).schemas()
    const typeId = schemas.at(-1)?.typeId ?? ''
    made[plan.name] = typeId
    targets[plan.plural] = typeId
  }
  return made
}

function bodyOf(plan: CrmObjectPlan, changes: Readonly<Record<string, object | null>>) {
  return {
    name: plan.name,
    labels: { singular: plan.singular, plural: plan.plural },
    primaryDisplayProperty: plan.primaryDisplay,
    secondaryDisplayProperties: plan.secondaryDisplay,
    searchableProperties: plan.searchable,
    properties: plan.properties.flatMap(({ name, label, type, isUnique, options }) => {
      const change = changes[name]
      if (change === null) return []
      return [{ name, label, ...types[type], hasUniqueValue: isUnique, options, ...change }]
    }),
  }
}
