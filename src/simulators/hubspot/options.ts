/** The plan of a portal: custom objects exist only in Enterprise (source: HubSpot's schemas endpoint tiers). */
export type PortalTier = 'enterprise' | 'professional'

/** The reasons that a 403 on a change of a schema may have. The documents do not say how its answers differ. */
export type SchemaRefusal = 'plan' | 'scope' | 'approval'

/** Whom the refusal meets: tokens of the app, or service keys. HubSpot settles neither. */
export type SchemaRefusals = { readonly app: SchemaRefusal | null; readonly key: SchemaRefusal | null }

/** A simulated HubSpot account, as offered on the consent page. */
export type PortalOption = {
  readonly hubId: number
  readonly name: string
  /** HubSpot's hub_domain, for example `harbour-demo.example`. */
  readonly domain: string
  readonly tier: PortalTier
  /** How many custom object types the plan allows; 10 by default. */
  readonly customObjectLimit?: number
  /** Why HubSpot refuses changes of schemas here although the scope was granted; it refuses none by default. */
  readonly schemaRefusals?: SchemaRefusals
}

/** Companies and contacts that every portal has before anything is connected. */
export type CrmSeed = {
  readonly companies: readonly {
    name: string
    domain?: string
    additionalDomains?: readonly string[]
    website?: string
    /** Milliseconds since 1970; now by default. */
    createdAt?: number
    /** When somebody last logged an activity. */
    lastActivityAt?: number
    dealCount?: number
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

/** The options of a simulated HubSpot. Times are milliseconds; the clock gives milliseconds since 1970. */
export type HubspotSimulatorOptions = {
  readonly clock: () => number
  /**
   * The simulator's addresses without a trailing slash; both may be equal. Record links and `uiDomain` use `appUrl`.
   */
  readonly appUrl: string
  readonly apiUrl: string
  /** The file that stores every change; without it the portals exist in memory only. */
  readonly journalPath?: string
  readonly clientId?: string
  readonly clientSecret?: string
  /** The allowed redirect addresses; null allows any path on http://localhost and http://127.0.0.1. */
  readonly redirectUris?: readonly string[] | null
  readonly rateLimit?: RateLimit
  readonly portals?: readonly PortalOption[]
  /** How long search does not know a written record; 3,000 by default. */
  readonly searchLagMs?: number
  /** How long single reads of a changed schema alternate between old and new; 60,000 by default. */
  readonly schemaSettleMs?: number
  /** How long after a new contact, or a company of its domain, the portal's setting ties them; 1,000 by default. */
  readonly associationLagMs?: number
  readonly seedFrom?: CrmSeed
  /** Waits during the fault `slow`; a timer by default. */
  readonly wait?: (ms: number) => Promise<void>
}

/** Requests allowed for one app in one portal; search has its own limit. */
export type RateLimit = { readonly per10s: number; readonly searchPerSecond: number }

/** The options with all defaults. */
export type SimulatorSettings = Required<Omit<HubspotSimulatorOptions, 'journalPath' | 'seedFrom'>>

const defaultPortals: readonly PortalOption[] = [
  { hubId: 24180001, name: 'Harbour Demo (Enterprise)', domain: 'harbour-demo.example', tier: 'enterprise' },
  {
    hubId: 24180002,
    name: 'Quay Starter (no custom objects)',
    domain: 'quay-starter.example',
    tier: 'professional',
  },
  {
    hubId: 24180003,
    name: 'Jetty Works (no app may create objects)',
    domain: 'jetty-works.example',
    tier: 'enterprise',
    schemaRefusals: { app: 'approval', key: null },
  },
]

/** Adds as defaults the values that HubSpot documents for a marketplace app. */
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
