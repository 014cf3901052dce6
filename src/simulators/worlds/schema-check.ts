type Schema = {
  $ref?: string
  type?: string
  anyOf?: Schema[]
  allOf?: Schema[]
  enum?: unknown[]
  nullable?: boolean
  required?: string[]
  properties?: Record<string, Schema>
  additionalProperties?: unknown
  items?: Schema
  'x-openEnum'?: boolean
}

/** The part of an OpenAPI 3.0 document that this check reads. */
export type OpenApi = {
  components: { schemas: Record<string, Schema> }
}

/** The mistakes of a value under a named schema, each as 'path: mistake'; an unknown field is a mistake. */
export function faultsUnder(api: OpenApi, name: string, value: unknown): string[] {
  return check(api, { $ref: `#/components/schemas/${name}` }, value, name)
}

function check(api: OpenApi, schema: Schema, value: unknown, path: string): string[] {
  if (value === null && schema.nullable) return []
  if (schema.$ref !== undefined) {
    const target = api.components.schemas[schema.$ref.split('/').at(-1) ?? '']
    return target === undefined ? [`${path}: no schema ${schema.$ref}`] : check(api, target, value, path)
  }
  if (schema.allOf !== undefined) return schema.allOf.flatMap((part) => check(api, part, value, path))
  if (schema.anyOf !== undefined) return checkAny(api, schema.anyOf, value, path)
  if (schema.enum !== undefined && !schema['x-openEnum'] && !schema.enum.includes(value)) {
    return [`${path}: ${JSON.stringify(value)} is none of the known values`]
  }
  if (schema.type === 'array') {
    if (!Array.isArray(value)) return [`${path}: not a list`]
    return value.flatMap((one, index) => check(api, schema.items ?? {}, one, `${path}[${index}]`))
  }
  if (schema.type === 'object') return checkObject(api, schema, value, path)
  return isOfType(schema.type, value) ? [] : [`${path}: ${JSON.stringify(value)} is no ${schema.type}`]
}

function checkAny(api: OpenApi, options: Schema[], value: unknown, path: string): string[] {
  const results = options.map((option) => check(api, option, value, path))
  return results.reduce((best, faults) => (faults.length < best.length ? faults : best))
}

function checkObject(api: OpenApi, schema: Schema, value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${path}: not an object`]
  const { properties } = schema
  if (properties === undefined) return []
  const faults: string[] = []
  const present = new Map(Object.entries(value))
  for (const field of schema.required ?? []) if (!present.has(field)) faults.push(`${path}.${field}: missing`)
  for (const [field, inner] of present) {
    const known = properties[field]
    if (known === undefined) faults.push(`${path}.${field}: unknown field`)
    else faults.push(...check(api, known, inner, `${path}.${field}`))
  }
  return faults
}

function isOfType(type: string | undefined, value: unknown): boolean {
  if (type === 'integer') return Number.isSafeInteger(value) && !Object.is(value, -0)
  if (type === undefined) return true
  return typeof value === type
}
