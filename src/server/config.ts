import { z } from 'zod'
import { isAddressRange } from './http/client-address.ts'
import { type RedirectProblem, redirectProblem, redirectUrlOf } from './providers/hubspot/app/redirect.ts'
import { hubspotScopes, type ScopeSplit, splitScopes } from './providers/hubspot/app/scopes.ts'
import { parseSealKeys, type SealKeys } from './seal.ts'
import { ConfigError } from './settings/config-error.ts'
import { readDatabaseUrl } from './settings/database-url.ts'
import { type OidcSettings, readOidc, readOperators } from './settings/identity-settings.ts'
import { isDecodable } from './settings/is-decodable.ts'
import { type ProxySettings, readProxySettings } from './settings/proxy-settings.ts'
import { publicUrlWarnings, readPublicUrl } from './settings/public-url.ts'
import { readRatesPlace } from './settings/rates-settings.ts'
import { realHubspot, realStripe } from './settings/real-providers.ts'
import { readTraces, type TraceSettings } from './settings/trace-settings.ts'

/** The settings of a process, read once at its start. No other file reads the environment. */
export type Config = {
  databaseUrl: string
  /** The address to listen on. The default is local, because a proxy connects the product to the internet. */
  host: string
  port: number
  /** The public address of the product. Links in mail and redirects use only this address. */
  publicUrl: string
  sealKeys: SealKeys
  /** The version of the key that seals new secrets; undefined means the newest. */
  sealWith: number | undefined
  stripe: {
    apiUrl: string
    dashboardUrl: string
    isSimulated: boolean
    /** A key of the simulated account that the wizard may suggest; null with the real Stripe. */
    demoKey: string | null
  }
  hubspot: {
    apiUrl: string
    appUrl: string
    /** The OAuth app; both are null where portals connect by service keys only. */
    clientId: string | null
    clientSecret: string | null
    /** The scopes that the consent page asks for. */
    scopes: ScopeSplit
    redirectUrl: string
    /** Why the real HubSpot will, or may, refuse the redirect address, with what to do; null if nothing is known. */
    redirectProblem: RedirectProblem | null
    isSimulated: boolean
  }
  oidc: OidcSettings | null
  smtpUrl: string | null
  mailFrom: string
  operatorEmails: string[]
  /** Addresses and ranges of proxies that are trusted to name the caller's address; none by default. */
  trustedProxies: string[]
  logLevel: string
  /** How many runs one worker process handles at the same time. */
  workerConcurrency: number
  /** Where this process shows its metrics to Prometheus; null shows none. Never the port of the product itself. */
  metrics: { host: string; port: number } | null
  /** Where traces go; null for none. */
  traces: TraceSettings | null
  /** The proxies that every outgoing call takes; null for direct calls. */
  proxy: ProxySettings | null
  /** Where the European Central Bank's file of exchange rates is read; null reads none. */
  ratesPlace: string | null
  /** A file with certificate authorities of the operator's own; null for none. */
  authoritiesFile: string | null
  /** What will not work with these settings although they are valid, with what to do. Told at the start. */
  warnings: string[]
}

const optionalUrl = z
  .url({ protocol: /^https?$/, error: 'must be an address that begins with https:// or http://' })
  .optional()
const optionalText = z.string().trim().min(1).optional()
const smtpExample = 'smtps://user:password@mail.example.com'
const smtpError = `must be an address such as ${smtpExample}; write special characters of the password as %40, %25 and so on`
const senderExample = 'Tributary <tributary@example.com>'
const sender = /^(?:[^<>@]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/

function wholeNumber(least: number, most: number) {
  const error = `must be a whole number from ${least} to ${most}`
  return z.coerce.number({ error }).int({ error }).min(least, { error }).max(most, { error })
}

const schema = z.object({
  DATABASE_URL: optionalText,
  PORT: wholeNumber(1, 65_535).default(3000),
  HOST: z.string().trim().min(1).default('127.0.0.1'),
  PUBLIC_URL: optionalUrl,
  SEAL_KEYS: z
    .string({ error: 'must be set; for a new installation, to 1: and what `openssl rand -base64 32` prints' })
    .trim(),
  SEAL_WITH: wholeNumber(1, 999_999).optional(),
  PROVIDERS: z.enum(['live', 'simulated'], { error: 'must be live or simulated' }).optional(),
  STRIPE_API_URL: optionalUrl,
  STRIPE_DASHBOARD_URL: optionalUrl,
  HUBSPOT_API_URL: optionalUrl,
  HUBSPOT_APP_URL: optionalUrl,
  HUBSPOT_CLIENT_ID: optionalText,
  HUBSPOT_CLIENT_SECRET: optionalText,
  HUBSPOT_WITHOUT_SCOPES: z.string().default(''),
  OIDC_ISSUER: optionalUrl,
  OIDC_CLIENT_ID: optionalText,
  OIDC_CLIENT_SECRET: optionalText,
  OIDC_TRUSTED_DOMAINS: optionalText,
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: smtpError })
    .refine(isDecodable, smtpError)
    .optional(),
  MAIL_FROM: z
    .string()
    .trim()
    .regex(sender, { error: `must be an address such as ${senderExample}` })
    .optional(),
  OPERATOR_EMAILS: z.string().default(''),
  TRUSTED_PROXIES: z.string().default(''),
  LOG_LEVEL: z
    .enum(['silent', 'error', 'warn', 'info', 'debug'], {
      error: 'must be silent, error, warn, info or debug',
    })
    .default('info'),
  METRICS_HOST: z.string().trim().min(1).default('127.0.0.1'),
  METRICS_PORT: wholeNumber(1, 65_535).optional(),
  WORKER_CONCURRENCY: wholeNumber(1, 64).default(4),
  OTEL_EXPORTER_OTLP_ENDPOINT: optionalUrl,
  OTEL_EXPORTER_OTLP_HEADERS: optionalText,
  HTTPS_PROXY: optionalText,
  HTTP_PROXY: optionalText,
  NO_PROXY: optionalText,
  NODE_EXTRA_CA_CERTS: optionalText,
  ECB_RATES: optionalText,
})
type Environment = z.output<typeof schema>

/** The names of all settings, for `.env.example` and the documents. */
export const settingNames = Object.keys(schema.shape)

/** Our client id and secret at the simulated providers. */
const simulatedStripeKey = 'sk_test_tributary_demo'
const simulatedApp = { clientId: 'tributary-demo', clientSecret: 'tributary-demo-secret' }

/** Reads and checks the environment. Throws a ConfigError. Never uses a simulator when HubSpot is real. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()))
  const parsed = schema.safeParse(given)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new ConfigError(`${issue?.path.join('.') ?? 'settings'}: ${issue?.message ?? 'invalid'}`)
  }
  const env = parsed.data
  requireNoOtherProviders(env)
  const isHubspotLive = isLive(env)
  requireTogether(env, ['HUBSPOT_CLIENT_ID', 'HUBSPOT_CLIENT_SECRET'])
  if (env.METRICS_PORT === env.PORT) throw new ConfigError('METRICS_PORT: must differ from PORT')
  requireTogether(env, ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'])
  const oidc = readOidc(env)
  const stripeUrl = env.STRIPE_API_URL ?? realStripe
  if (isHubspotLive)
    requireSetting(
      env,
      'PUBLIC_URL',
      'the address at which people will open Tributary, such as https://tributary.example.com',
    )
  // Without mail nobody could verify an address, and the outbox of the simulated mode shows everybody's mail.
  const isReal = isHubspotLive || stripeUrl === realStripe
  if (isReal && !oidc)
    requireSetting(
      env,
      'SMTP_URL',
      `a mail server, such as ${smtpExample}; or OIDC_ISSUER to an identity provider`,
    )
  // Mail servers refuse, and mailboxes drop, what comes from a domain that is not the sender's own.
  if (isReal && env.SMTP_URL && !env.MAIL_FROM)
    throw new ConfigError(`MAIL_FROM: must be set to a sender of your own domain, such as ${senderExample}`)
  if (!isHubspotLive) requireSimulators(env)
  const isStripeSimulated = env.PROVIDERS !== 'live' && stripeUrl !== realStripe
  const publicUrl = readPublicUrl(env.PUBLIC_URL ?? `http://localhost:${env.PORT}`)
  const redirect = env.HUBSPOT_CLIENT_ID === undefined ? null : redirectProblem(publicUrl)
  return {
    databaseUrl: readDatabaseUrl(env.DATABASE_URL),
    host: env.HOST,
    port: env.PORT,
    publicUrl,
    sealKeys: readSealKeys(env),
    sealWith: env.SEAL_WITH,
    stripe: {
      apiUrl: stripeUrl,
      dashboardUrl:
        env.STRIPE_DASHBOARD_URL ?? (stripeUrl === realStripe ? 'https://dashboard.stripe.com' : stripeUrl),
      isSimulated: isStripeSimulated,
      demoKey: isStripeSimulated ? simulatedStripeKey : null,
    },
    hubspot: {
      apiUrl: env.HUBSPOT_API_URL ?? realHubspot.apiUrl,
      appUrl: env.HUBSPOT_APP_URL ?? realHubspot.appUrl,
      clientId: env.HUBSPOT_CLIENT_ID ?? (isHubspotLive ? null : simulatedApp.clientId),
      clientSecret: env.HUBSPOT_CLIENT_SECRET ?? (isHubspotLive ? null : simulatedApp.clientSecret),
      scopes: readScopes(env.HUBSPOT_WITHOUT_SCOPES),
      redirectUrl: redirectUrlOf(publicUrl),
      redirectProblem: redirect,
      isSimulated: !isHubspotLive,
    },
    oidc,
    smtpUrl: env.SMTP_URL ?? null,
    mailFrom: env.MAIL_FROM ?? 'Tributary <no-reply@tributary.example>',
    operatorEmails: readOperators(listOf(env.OPERATOR_EMAILS)),
    trustedProxies: readProxies(env.TRUSTED_PROXIES),
    logLevel: env.LOG_LEVEL,
    workerConcurrency: env.WORKER_CONCURRENCY,
    metrics: env.METRICS_PORT === undefined ? null : { host: env.METRICS_HOST, port: env.METRICS_PORT },
    traces: readTraces(env),
    proxy: readProxySettings(environment),
    ratesPlace: readRatesPlace(env.ECB_RATES),
    authoritiesFile: env.NODE_EXTRA_CA_CERTS ?? null,
    warnings: publicUrlWarnings(publicUrl, redirect),
  }
}

/** Whether the providers are real: an OAuth app makes them so by itself; without one, PROVIDERS says it. */
export function isLive(environment: {
  PROVIDERS?: string | undefined
  HUBSPOT_CLIENT_ID?: string | undefined
}) {
  return environment.PROVIDERS?.trim() === 'live' || Boolean(environment.HUBSPOT_CLIENT_ID?.trim())
}

function requireNoOtherProviders(env: Environment): void {
  if (env.PROVIDERS !== 'simulated' || env.HUBSPOT_CLIENT_ID === undefined) return
  throw new ConfigError('PROVIDERS: must be live where HUBSPOT_CLIENT_ID names an app; or remove the app')
}

/** A start without simulators is most likely meant to be a live one, so the message names both ways to it. */
function requireSimulators(env: Environment): void {
  if (env.HUBSPOT_API_URL !== undefined && env.HUBSPOT_APP_URL !== undefined) return
  throw new ConfigError(
    'PROVIDERS: must be live for the real Stripe and HubSpot, with HUBSPOT_CLIENT_ID and HUBSPOT_CLIENT_SECRET for an OAuth app, ' +
      'or without them for service keys; simulated providers need HUBSPOT_API_URL and HUBSPOT_APP_URL',
  )
}

/** What the HubSpot app of an installation is made from, before any other setting is known. Throws a ConfigError. */
export function readAppSettings(environment: NodeJS.ProcessEnv): { publicUrl: string; scopes: ScopeSplit } {
  const { PUBLIC_URL, HUBSPOT_WITHOUT_SCOPES } = environment
  const parsed = schema
    .pick({ PUBLIC_URL: true, HUBSPOT_WITHOUT_SCOPES: true })
    .safeParse({ PUBLIC_URL: PUBLIC_URL || undefined, HUBSPOT_WITHOUT_SCOPES })
  if (!parsed.data?.PUBLIC_URL)
    throw new ConfigError('PUBLIC_URL: must be the address at which people will open Tributary')
  return {
    publicUrl: readPublicUrl(parsed.data.PUBLIC_URL),
    scopes: readScopes(parsed.data.HUBSPOT_WITHOUT_SCOPES),
  }
}

function listOf(text: string): string[] {
  const parts = text.split(',').map((part) => part.trim())
  return parts.filter(Boolean)
}

/** Only an optional scope can be left out: without a required one, imports and pushes would fail later. */
function readScopes(withoutText: string): ScopeSplit {
  const without = listOf(withoutText)
  const known = hubspotScopes.filter(({ isOptional }) => isOptional).map(({ name }) => name)
  if (!without.every((scope) => known.includes(scope))) {
    throw new ConfigError(`HUBSPOT_WITHOUT_SCOPES: may only name, with commas: ${known.join(', ')}`)
  }
  return splitScopes(without)
}

function readProxies(text: string): string[] {
  const proxies = listOf(text)
  if (proxies.every(isAddressRange)) return proxies
  throw new ConfigError(
    'TRUSTED_PROXIES: must be addresses, or ranges such as 10.0.0.0/8 or fd00::/8 and none wider; name your proxies alone',
  )
}

function requireSetting(env: Environment, name: keyof Environment, value: string): void {
  if (env[name] === undefined) throw new ConfigError(`${name}: must be set to ${value}`)
}

function requireTogether(env: Environment, names: (keyof Environment)[]): void {
  const missing = names.filter((name) => env[name] === undefined)
  const others = names.filter((name) => !missing.includes(name))
  if (missing.length > 0 && others.length > 0) {
    throw new ConfigError(`${missing.join(', ')}: must be set together with ${others.join(', ')}`)
  }
}

function readSealKeys(env: Environment): SealKeys {
  let keys: SealKeys
  try {
    keys = parseSealKeys(env.SEAL_KEYS)
  } catch (error) {
    throw new ConfigError(`SEAL_KEYS: ${error instanceof Error ? error.message : 'invalid'}`)
  }
  if (env.SEAL_WITH !== undefined && !keys.has(env.SEAL_WITH)) {
    throw new ConfigError('SEAL_WITH: names a version that SEAL_KEYS does not have')
  }
  return keys
}
