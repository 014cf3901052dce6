import type { Bug } from './bug.ts'

const stripeProbe = 'src/cli/probe/probe-stripe.test.ts'
const hubspotProbe = 'src/cli/probe/probe-hubspot.test.ts'

/** What would hurt somebody's real account, or let HubSpot refuse the consent page. */
export const goingLiveBugs: readonly Bug[] = [
  {
    name: 'a setup that calls missing custom objects done once they were passed',
    file: 'src/web/components/setup-steps.ts',
    text: "step === 'objects' || ",
    replacement: '',
    caughtBy: ['src/web/components/setup-steps.test.ts', 'as not done once it was passed without objects'],
  },
  {
    name: 'a consent page that asks for what the app does not name',
    file: 'src/server/config.ts',
    text: 'scopes: readScopes(env.HUBSPOT_WITHOUT_SCOPES),',
    replacement: 'scopes: splitScopes(),',
    caughtBy: ['src/cli/hubspot-app.test.ts', 'asks in the file for what the consent page asks for'],
  },
  {
    name: 'an app whose identifier changes with each upload',
    file: 'src/server/providers/hubspot/app/app-files.ts',
    text: '  return uid\n}',
    replacement: '  return `${uid}_`\n}',
    caughtBy: ['src/cli/hubspot-app.test.ts', 'without making another app of it'],
  },
  {
    name: 'a probe that writes into the account of a business',
    file: 'src/cli/probe/hubspot-questions.ts',
    text: 'if (!testAccounts.includes(kind)) {',
    replacement: 'if (kind === "") {',
    caughtBy: [hubspotProbe, 'are not asked in an account that somebody works in'],
  },
  {
    name: 'a probe that may write to the payment provider',
    file: 'src/cli/probe/ask.ts',
    text: "if (method !== 'GET' && !options.mayWrite)",
    replacement: "if (method === 'DELETE' && !options.mayWrite)",
    caughtBy: [stripeProbe, 'send nothing that writes'],
  },
  {
    name: 'a probe that takes a live key unasked',
    file: 'src/server/settings/probe-settings.ts',
    text: 'if (stripeKey && /_live_/.test(stripeKey) && !isLiveAllowed) {',
    replacement: 'if (stripeKey && /_life_/.test(stripeKey) && !isLiveAllowed) {',
    caughtBy: ['src/server/settings/probe-settings.test.ts', 'asks no live account unless that is said'],
  },
  {
    name: "a report with the provider's own words as they came",
    file: 'src/cli/probe/report.ts',
    text: "    .replaceAll(/\\b(?:sk|rk|pk|whsec|pat)[_-][\\w•*-]+/g, '(key)')\n",
    replacement: '',
    caughtBy: [stripeProbe, 'are reported without keys'],
  },
  {
    name: 'a probe that writes over an earlier report',
    file: 'src/cli/probe.ts',
    text: "openSync(file, 'wx')",
    replacement: "openSync(file, 'w')",
    caughtBy: ['src/cli/probe/probe-command.test.ts', 'prints the table of both providers'],
  },
]
