import type { Bug } from './bug.ts'

const addressTest = 'src/server/providers/identity/verified-address.test.ts'
const address = 'src/server/providers/identity/verified-address.ts'
const outgoingTest = 'test/outgoing/outgoing.test.ts'

/** Holes in what is believed of a hosted provider, in the way out, and in what is kept beside the database. */
export const settingsBugs: readonly Bug[] = [
  {
    name: 'a version of SEAL_KEYS whose second key wins in silence',
    file: 'src/server/seal.ts',
    text: 'if (keys.has(Number(version)))',
    replacement: 'if (keys.size < 0)',
    caughtBy: ['src/server/config.test.ts', 'in one line when it is wrong, without its value'],
  },
  {
    name: 'an address that the hosted provider has not verified',
    file: address,
    text: `undefined : said === true || said === 'true'`,
    replacement: 'undefined : true',
    caughtBy: [addressTest, 'Keycloak: false in the ID token'],
  },
  {
    name: 'a false of the provider taken for a yes',
    file: address,
    text: 'sources.some((source) => saysVerified(source) === false)',
    replacement: 'false',
    caughtBy: [addressTest, 'xms_edov has no say against a false'],
  },
  {
    name: 'a user info about another person believed',
    file: 'src/server/providers/identity/hosted-identity.ts',
    text: 'if (info.sub !== subject)',
    replacement: 'if (false)',
    caughtBy: [addressTest, 'is not believed by a user info about another person'],
  },
  {
    name: 'a subdomain trusted with its domain',
    file: address,
    text: 'trustedDomains.includes(host)',
    replacement: 'trustedDomains.some((domain) => host.endsWith(domain))',
    caughtBy: [addressTest, 'believed about trusted domains only: sub.trusted.example'],
  },
  {
    name: "Entra ID's no overruled by a trusted domain",
    file: address,
    text: 'owned ?? isTrusted(',
    replacement: 'owned || isTrusted(',
    caughtBy: [addressTest, 'its own no stands in a trusted domain too'],
  },
  {
    name: 'an issuer of all tenants taken',
    file: 'src/server/settings/identity-settings.ts',
    text: '  requireOneTenant(issuer)\n',
    replacement: '',
    caughtBy: ['src/server/config.test.ts', 'refuses the shared issuer'],
  },
  {
    name: 'a mail provider trusted with the addresses of everybody',
    file: 'src/server/settings/identity-settings.ts',
    text: 'if (isKnownProvider(host))',
    replacement: 'if (host === null)',
    caughtBy: ['src/server/config.test.ts', 'in one line when it is wrong, without its value'],
  },
  {
    name: 'every caller trusted as a proxy by two halves',
    file: 'src/server/http/client-address.ts',
    text: 'held.length <= 1 && ',
    replacement: '',
    caughtBy: ['src/server/config.test.ts', 'in one line when it is wrong, without its value'],
  },
  {
    name: 'a repeated question that goes past the proxy',
    file: 'src/server/providers/send.ts',
    text: 'ask({ agent: freshAgent(url) })',
    replacement: 'ask({ agent: false as never })',
    caughtBy: [outgoingTest, 'every call to a provider goes through the proxy'],
  },
  {
    name: 'mail that goes past the proxy',
    file: 'src/server/providers/smtp/create-smtp.ts',
    text: '    ...(proxy !== null && { proxy }),\n',
    replacement: '',
    caughtBy: [outgoingTest, 'every call to a provider goes through the proxy'],
  },
  {
    name: 'keys half-written when the power fails',
    file: 'tools/whole-file.ts',
    text: 'const half = `${file}.half`',
    replacement: 'const half = file',
    caughtBy: ['tools/whole-file.test.ts', 'keeps the old text'],
  },
  {
    name: 'a stack trace for a failed command',
    file: 'src/cli/tributary.ts',
    text: 'process.stderr.write(`Tributary cannot do this: ${fault ?? oneLine(error)}\\n`)',
    replacement: 'throw error',
    caughtBy: ['src/cli/wrong-settings.test.ts', 'rotate-keys names a database refused'],
  },
  {
    name: 'the database of a moved clone removed as an orphan',
    file: 'tools/reachable.ts',
    text: ' || around !== inodeOf(parent)',
    replacement: '',
    caughtBy: ['tools/reachable.test.ts', 'goes with its folder wherever that is moved'],
  },
  {
    name: 'a typing error behind a command that is carried out',
    file: 'src/cli/usage.ts',
    text: 'if (more !== undefined) throw',
    replacement: 'if (most < 0) throw',
    caughtBy: ['src/cli/usage.test.ts', 'without doing anything'],
  },
  {
    name: 'a redirect address with an IP that nobody is warned of',
    file: 'src/server/config.ts',
    text: 'publicUrlWarnings(publicUrl, redirect)',
    replacement: 'publicUrlWarnings(publicUrl, redirect?.isRefused ? redirect : null)',
    caughtBy: ['src/server/config.test.ts', 'knows whether HubSpot will send people back to'],
  },
  {
    name: 'passwords on plain http that no start warns of',
    file: 'src/server/settings/public-url.ts',
    text: '...(open === null ? [] : [open])',
    replacement: '...[]',
    caughtBy: ['src/server/config.test.ts', 'warns at the start of passwords that travel unencrypted'],
  },
  {
    name: 'a file that cannot be made told in words of the system',
    file: 'src/cli/one-line.ts',
    text: 'fileFault(first) ?? ',
    replacement: '',
    caughtBy: ['src/cli/wrong-settings.test.ts', 'is named by'],
  },
  {
    name: 'a connection that stays green after the run that it failed',
    file: 'src/web/screens/data-sync/use-manual-sync.ts',
    text: `      // Also of a failed one: the provider may have refused the connection.
      void refreshRecords()`,
    replacement: '      void refreshStatus()',
    caughtBy: [
      'src/web/screens/data-sync/data-sync-screen.test.tsx',
      'a refused consent shows after the failed run',
    ],
  },
  {
    name: 'a renewed consent that resets the setup',
    file: 'src/server/work/connections/keep-crm-connection.ts',
    text: 'await saveConnection(tenant, connection)',
    replacement:
      'await saveConnection(tenant, connection); await updateSettings(tenant, { setupComplete: false })',
    caughtBy: [
      'src/web/screens/data-sync/data-sync-screen.test.tsx',
      'is renewed without resetting the setup',
    ],
  },
]
