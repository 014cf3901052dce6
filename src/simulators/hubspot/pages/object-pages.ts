import { html } from 'hono/html'
import { companyTypeId, contactTypeId, type HubspotRecord, type Portal } from '../entities.ts'
import { listSchemas } from '../object-types.ts'
import { listPortals } from '../portals.ts'
import { liveRecords } from '../records/find.ts'
import type { World } from '../world.ts'
import { type HtmlPage, page } from './layout.ts'

const rowsPerPage = 100

/** An object type with the name shown to people. */
type ListedType = { readonly typeId: string; readonly plural: string }

/** The object types of a portal, HubSpot's own first. */
export function listTypes(world: World, hubId: number): ListedType[] {
  const custom = listSchemas(world, hubId).filter((schema) => !schema.archived)
  return [
    { typeId: contactTypeId, plural: 'Contacts' },
    { typeId: companyTypeId, plural: 'Companies' },
    ...custom.map((schema) => ({ typeId: schema.typeId, plural: schema.labels.plural })),
  ]
}

/** The name of a record on pages: its primary display property, e-mail, name, or id. */
export function displayName(world: World, record: HubspotRecord): string {
  const schema = world.schemas.get(`${record.hubId}/${record.typeId}`)
  const { properties } = record
  const fullName = [properties['firstname'], properties['lastname']]
    .filter((part) => part !== undefined)
    .join(' ')
  const named = schema === undefined ? properties['name'] : properties[schema.primaryDisplayProperty]
  return named ?? (fullName || properties['email'] || properties['domain'] || record.id)
}

export function recordPath(record: HubspotRecord): string {
  return `/contacts/${record.hubId}/record/${record.typeId}/${record.id}`
}

/** Every portal with the number of records of each type. */
export function overviewPage(world: World): HtmlPage {
  const portals = listPortals(world).map((portal) => {
    const rows = listTypes(world, portal.hubId).map((type) => {
      const count = liveRecords(world, portal.hubId, type.typeId).reduce((sum) => sum + 1, 0)
      return html`<tr><td><a href="/contacts/${portal.hubId}/objects/${type.typeId}">${type.plural}</a></td><td>${type.typeId}</td><td>${count}</td></tr>`
    })
    return html`<h2>${portal.name}</h2>
      <p>Account ${portal.hubId}, ${portal.domain}, <a href="/service-keys/${portal.hubId}">service keys</a></p>
      <table><thead><tr><th scope="col">Object</th><th scope="col">Type</th><th scope="col">Records</th></tr></thead><tbody>${rows}</tbody></table>`
  })
  return page('Accounts', html`${portals}`)
}

/** The records of one type, a hundred to a page. */
export function objectListPage(
  world: World,
  portal: Portal,
  typeId: string,
  after: string | undefined,
): HtmlPage {
  const plural = listTypes(world, portal.hubId).find((type) => type.typeId === typeId)?.plural ?? 'Objects'
  const start = /^\d+$/.test(after ?? '') ? after : undefined
  const rows = [...liveRecords(world, portal.hubId, typeId, start).take(rowsPerPage)]
  const last = rows.at(-1)
  const items = rows.map(
    (record) => html`<li><a href="${recordPath(record)}">${displayName(world, record)}</a></li>`,
  )
  const next =
    rows.length === rowsPerPage && last !== undefined
      ? html`<p><a href="/contacts/${portal.hubId}/objects/${typeId}?after=${last.id}">Next page</a></p>`
      : ''
  return page(
    `${plural}, ${portal.name}`,
    html`<p><a href="/">All accounts</a></p>${rows.length === 0 ? html`<p>No records.</p>` : html`<ul>${items}</ul>`}${next}`,
  )
}
