import type { HubspotSimulatorOptions } from './options.ts'
import { createHubspotSimulator, type HubspotSimulator } from './simulator.ts'

export const enterpriseHubId = 24180001
export const starterHubId = 24180002
const redirectUri = 'http://localhost:3000/callback'
const address = 'http://hubspot.test'

const requiredScopes = [
  'crm.objects.companies.read',
  'crm.objects.companies.write',
  'crm.objects.contacts.read',
  'crm.objects.contacts.write',
  'crm.schemas.companies.write',
]
const customScopes = ['read', 'write'].flatMap((verb) => [
  `crm.objects.custom.${verb}`,
  `crm.schemas.custom.${verb}`,
])

/** An answer with its parsed body, untyped for tests. */
type Answer = { status: number; headers: Headers; body: ReturnType<JSON['parse']> }

/** A simulator whose clock the test controls. */
type Bench = {
  readonly simulator: HubspotSimulator
  readonly clock: { now: number }
  readonly send: (method: string, path: string, body?: unknown, token?: string) => Promise<Answer>
  readonly form: (path: string, fields: Record<string, string>) => Promise<Answer>
}

export function openBench(options: Partial<HubspotSimulatorOptions> = {}): Bench {
  const clock = { now: Date.UTC(2026, 9, 1, 12) }
  const simulator = createHubspotSimulator({
    clock: () => clock.now,
    appUrl: address,
    apiUrl: address,
    rateLimit: { per10s: 100_000, searchPerSecond: 100_000 },
    ...options,
  })
  const ask = async (path: string, init: RequestInit): Promise<Answer> => {
    const answer = await simulator.fetch(new Request(`${address}${path}`, { redirect: 'manual', ...init }))
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.includes('json') === true
    return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : text }
  }
  return {
    simulator,
    clock,
    send: (method, path, body, token) =>
      ask(path, {
        method,
        headers: {
          'content-type': 'application/json',
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    form: (path, fields) => ask(path, { method: 'POST', body: new URLSearchParams(fields) }),
  }
}

type Grant = { readonly accessToken: string; readonly refreshToken: string; readonly scopes: string[] }

/** Presses "Connect app" and returns the address to which the browser is redirected. */
export async function consent(bench: Bench, fields: Record<string, string> = {}): Promise<Answer> {
  return bench.form('/oauth/authorize', {
    client_id: 'tributary-demo',
    redirect_uri: redirectUri,
    scope: requiredScopes.join(' '),
    optional_scope: customScopes.join(' '),
    state: 'state-1',
    hub_id: String(enterpriseHubId),
    decision: 'allow',
    ...fields,
  })
}

export function codeIn(answer: Answer): string {
  return new URL(answer.headers.get('location') ?? address).searchParams.get('code') ?? ''
}

export function askToken(bench: Bench, fields: Record<string, string>): Promise<Answer> {
  const app = { client_id: 'tributary-demo', client_secret: 'tributary-demo-secret' }
  return bench.form('/oauth/2026-09/token', { ...app, redirect_uri: redirectUri, ...fields })
}

/** Installs the app in a portal. */
export async function install(bench: Bench, hubId = enterpriseHubId): Promise<Grant> {
  const code = codeIn(await consent(bench, { hub_id: String(hubId) }))
  const { body } = await askToken(bench, { grant_type: 'authorization_code', code })
  return { accessToken: body.access_token, refreshToken: body.refresh_token, scopes: body.scopes }
}

/** A connected app, whose calls carry its token. */
export type ConnectedApp = Bench & {
  readonly call: (method: string, path: string, body?: unknown) => Promise<Answer>
}

export async function connect(options: Partial<HubspotSimulatorOptions> = {}): Promise<ConnectedApp> {
  const bench = openBench(options)
  const { accessToken } = await install(bench)
  return { ...bench, call: (method, path, body) => bench.send(method, path, body, accessToken) }
}

/** Makes a custom object with a unique key, tied to contacts and companies, and returns its type id. */
export async function createOrders(app: ConnectedApp, name = 'order'): Promise<string> {
  const { body } = await app.call('POST', '/crm-object-schemas/2026-09/schemas', orderSchema(name))
  return body.objectTypeId
}

export function orderSchema(name = 'order') {
  const text = { type: 'string', fieldType: 'text' }
  const options = ['active', 'past_due'].map((value, displayOrder) => ({ label: value, value, displayOrder }))
  return {
    name,
    labels: { singular: 'Order', plural: 'Orders' },
    primaryDisplayProperty: 'title',
    secondaryDisplayProperties: ['status'],
    requiredProperties: ['order_key'],
    searchableProperties: ['order_key'],
    properties: [
      { name: 'title', label: 'Title', ...text },
      { name: 'order_key', label: 'Order key', ...text, hasUniqueValue: true },
      { name: 'status', label: 'Status', type: 'enumeration', fieldType: 'select', options },
      { name: 'amount', label: 'Amount', type: 'number', fieldType: 'number' },
      { name: 'due_on', label: 'Due on', type: 'date', fieldType: 'date' },
      { name: 'paid_at', label: 'Paid at', type: 'datetime', fieldType: 'date' },
    ],
    associatedObjects: ['0-1', '0-2'],
  }
}
