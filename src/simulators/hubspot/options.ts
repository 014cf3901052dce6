/** What a portal's subscription allows: custom objects exist in Enterprise only (source: HubSpot's schemas endpoint tiers). */
export type PortalTier = 'enterprise' | 'professional'

/** A HubSpot account of the simulation, as offered on the consent page. */
export type PortalOption = {
  readonly hubId: number
  readonly name: string
  /** What HubSpot calls hub_domain, for example `harbour-demo.example`. */
  readonly domain: string
  readonly tier: PortalTier
  /** How many custom object types the plan allows; 10 unless told. */
  readonly customObjectLimit?: number
}

/** Companies and contacts that stand in every portal before anything is connected. */
export type CrmSeed = {
  readonly companies: readonly {
    name: string
    domain?: string
    additionalDomains?: readonly string[]
    website?: string
  }[]
  readonly contacts: readonly {
    email: string
    additionalEmails?: readonly string[]
    firstname?: string
    lastname?: string
    /** Ties the contact, as primary, to the first company with this domain. */
    companyDomain?: string
  }[]
}

/** How a simulated HubSpot is made. Times are milliseconds; the clock gives milliseconds since 1970. */
export type HubspotSimulatorOptions = {
  readonly clock: () => number
  /** Own addresses without a trailing slash; both may be the same. Record links and `uiDomain` come from `appUrl`. */
  readonly appUrl: string
  readonly apiUrl: string
  /** File that keeps every change; without it the portals live in memory only. */
  readonly journalPath?: string
  readonly clientId?: string
  readonly clientSecret?: string
  /** Exact redirect addresses; null allows any path on http://localhost and http://127.0.0.1. */
  readonly redirectUris?: readonly string[] | null
  readonly rateLimit?: RateLimit
  readonly portals?: readonly PortalOption[]
  /** How long a written record stays unknown to search; 3,000 unless told. */
  readonly searchLagMs?: number
  /** How long single reads of a changed schema flip between old and new; 60,000 unless told. */
  readonly schemaSettleMs?: number
  /** How long after a contact, or a company of its domain, the two are tied by the portal's setting; 1,000 unless told. */
  readonly associationLagMs?: number
  readonly seedFrom?: CrmSeed
  /** Waits for the fault `slow`; a timer unless told. */
  readonly wait?: (ms: number) => Promise<void>
}

/** Requests allowed to one app in one portal; search is counted apart. */
export type RateLimit = { readonly per10s: number; readonly searchPerSecond: number }

/** The options with every gap filled. */
export type SimulatorSettings = Required<Omit<HubspotSimulatorOptions, 'journalPath' | 'seedFrom'>>

const defaultPortals: readonly PortalOption[] = [
  { hubId: 24180001, name: 'Harbour Demo (Enterprise)', domain: 'harbour-demo.example', tier: 'enterprise' },
  {
    hubId: 24180002,
    name: 'Quay Starter (no custom objects)',
    domain: 'quay-starter.example',
    tier: 'professional',
  },
]

/** Fills the gaps of the options with the values HubSpot documents for a marketplace app. */
export function settingsFrom(options: HubspotSimulatorOptions): SimulatorSettings {
  return {
    clock: options.clock,
    appUrl: options.appUrl,
    apiUrl: options.apiUrl,
    clientId: options.clientId ?? 'tributary-demo',
    clientSecret: options.clientSecret ?? 'tributary-demo-secret',
    redirectUris: options.redirectUris ?? null,
    rateLimit: options.rateLimit ?? { per10s: 110, searchPerSecond: 5 },
    portals: options.portals ?? defaultPortals,
    searchLagMs: options.searchLagMs ?? 3_000,
    schemaSettleMs: options.schemaSettleMs ?? 60_000,
    associationLagMs: options.associationLagMs ?? 1_000,
    wait: options.wait ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms))),
  }
}
