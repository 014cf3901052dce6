import { Refusal } from '../requests/refusal.ts'
import { type FieldRule, type Shape, shapeOf } from './shapes.ts'

/** The fields to expand, and within each the fields to expand there. */
export type Expansion = { readonly [field: string]: Expansion }

export const nothingExpanded: Expansion = {}

/** docs.stripe.com/api/expanding_objects: at most four levels; in lists, `data` is one of them. */
const levelsMax = 4

type Growing = { [field: string]: Growing }

export type ExpansionPlan = {
  /** What to expand in each object of the answer. */
  expansion: Expansion
  /** The kinds of object that expansion adds to the answer; a restricted key must be allowed to read them. */
  kinds: ReadonlySet<string>
}

/** Reads `expand` paths for an answer of one kind, or a list of it. Refuses as Stripe does. */
export function planExpansion(paths: readonly string[], kind: string, isList: boolean): ExpansionPlan {
  const root: Growing = {}
  const kinds = new Set<string>()
  for (const path of paths) {
    const segments = path.split('.')
    if (segments.length > levelsMax) throw tooDeep(path)
    const inside = isList ? segments.slice(1) : segments
    if (isList && segments[0] === 'total_count') throw totalCount()
    if (isList && segments[0] !== 'data') throw notExpandable(path, reaches(shapeOf(kind), segments))
    if (!grow(root, inside, shapeOf(kind), kinds)) throw notExpandable(path, false)
  }
  return { expansion: root, kinds }
}

/** Adds one path to the tree by the rules; false if the path is not allowed. */
function grow(tree: Growing, segments: readonly string[], shape: Shape, kinds: Set<string>): boolean {
  const [field, ...rest] = segments
  if (field === undefined) return true
  const rule = shape.find(([name]) => name === field)?.[1]
  if (rule === undefined || rule.is === 'resource') return false
  if (rule.is === 'reference' || rule.is === 'references' || rule.is === 'related') kinds.add(rule.to)
  tree[field] ??= {}
  const branch = tree[field]
  if (rule.is === 'onRequest') return rest.length === 0
  if (rule.is === 'hash') return rest.length > 0 && grow(branch, rest, rule.fields, kinds)
  if (rule.is !== 'list' && rule.is !== 'related') return grow(branch, rest, shapeOf(target(rule)), kinds)
  if (rest.length === 0) return true
  return rest[0] === 'data' && grow(branch, rest.slice(1), shapeOf(target(rule)), kinds)
}

function target(rule: Exclude<FieldRule, { is: 'onRequest' | 'hash' | 'resource' }>): string {
  return rule.is === 'part' || rule.is === 'list' ? rule.shape : rule.to
}

function reaches(shape: Shape, segments: readonly string[]): boolean {
  return grow({}, segments, shape, new Set())
}

function tooDeep(path: string): Refusal {
  return new Refusal(400, `You cannot expand more than 4 levels of a property. Property: ${path}`, {
    code: 'property_expansion_max_depth',
  })
}

function notExpandable(path: string, insideData: boolean): Refusal {
  const hint = insideData ? ` You may want to try expanding 'data.${path}' instead.` : ''
  return new Refusal(400, `This property cannot be expanded (${path}).${hint}`)
}

/** Basil removed `total_count` (docs.stripe.com/changelog/basil/2025-03-31/deprecate-total-count-expansion). */
function totalCount(): Refusal {
  return new Refusal(400, 'Expanding total_count is not supported in this API version.', {
    code: 'property_forbidden',
    param: 'expand',
  })
}
