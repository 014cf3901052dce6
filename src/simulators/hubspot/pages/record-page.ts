import { html } from 'hono/html'
import { associationKey } from '../associations/association-index.ts'
import { typesOf } from '../associations/link.ts'
import type { HubspotRecord, Portal } from '../entities.ts'
import { findRecord } from '../records/find.ts'
import type { World } from '../world.ts'
import { type HtmlPage, page } from './layout.ts'
import { displayName, listTypes, recordPath } from './object-pages.ts'

const associatedLimit = 100

/** One record: its properties, and links to the records it is tied to. */
export function recordPage(world: World, portal: Portal, record: HubspotRecord): HtmlPage {
  const names = Object.keys(record.properties).sort()
  const rows = names.map((name) => {
    const label = world.properties.get(`${record.hubId}/${record.typeId}/${name}`)?.label ?? name
    return html`<tr><th scope="row">${label}<br /><small><code>${name}</code></small></th><td>${record.properties[name] ?? ''}</td></tr>`
  })
  const sections = listTypes(world, portal.hubId).map((type) => associatedSection(world, record, type))
  return page(
    displayName(world, record),
    html`<p><a href="/contacts/${portal.hubId}/objects/${record.typeId}">All of this kind</a>, ${portal.name}</p>
      <h2>Properties</h2>
      <table><tbody>${rows}</tbody></table>
      ${sections}`,
  )
}

function associatedSection(
  world: World,
  record: HubspotRecord,
  type: { typeId: string; plural: string },
): HtmlPage | '' {
  const side = { hubId: record.hubId, fromTypeId: record.typeId, fromId: record.id, toTypeId: type.typeId }
  const ids = world.associationIndex.idsFrom(side)
  const others = ids.flatMap((id) => findRecord(world, record.hubId, type.typeId, id) ?? [])
  if (others.length === 0) return ''
  const items = others.slice(0, associatedLimit).map((other) => {
    const association = world.associations.get(associationKey(side, other.id))
    const kinds = association === undefined ? [] : typesOf(world, association)
    const labels = kinds.flatMap((kind) => kind.label ?? []).join(', ')
    return html`<li><a href="${recordPath(other)}">${displayName(world, other)}</a>${labels === '' ? '' : ` (${labels})`}</li>`
  })
  return html`<h2>${type.plural} (${others.length})</h2><ul>${items}</ul>`
}
