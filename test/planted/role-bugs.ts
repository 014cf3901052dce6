import type { Bug } from './bug.ts'

const walk = 'test/safety/roles.test.ts'
const connections = 'src/server/api/connections/connection-roles.test.ts'
const amounts = 'src/server/api/connections/hubspot-amounts.test.ts'
const byKey = 'src/server/work/connections/connect-crm-by-key.test.ts'
const table = 'may change what is written down here'

/** Holes in the limits of the lowest role, and missing messages to owners. */
export const roleBugs: readonly Bug[] = [
  {
    name: 'HubSpot disconnected by a member',
    file: 'src/contract/connections.ts',
    text: "access: 'admin',\n  audit: 'hubspot_disconnected',",
    replacement: "access: 'member',\n  audit: 'hubspot_disconnected',",
    caughtBy: [walk, table],
  },
  {
    name: 'HubSpot connected with a key by a member',
    file: 'src/contract/connections.ts',
    text: "access: 'admin',\n  audit: 'hubspot_connected',",
    replacement: "access: 'member',\n  audit: 'hubspot_connected',",
    caughtBy: [walk, table],
  },
  {
    name: 'objects of somebody else taken over by a member',
    file: 'src/contract/connections.ts',
    text: "access: 'admin',\n  audit: 'hubspot_objects_taken_over',",
    replacement: "access: 'member',\n  audit: 'hubspot_objects_taken_over',",
    caughtBy: [walk, table],
  },
  {
    name: 'amounts shown in their currency for good, because a member says so',
    file: 'src/contract/hubspot/hubspot-amounts.ts',
    text: "access: 'admin',\n  audit: 'hubspot_amounts_bound',",
    replacement: "access: 'member',\n  audit: 'hubspot_amounts_bound',",
    caughtBy: [amounts, 'are asked about first, by owners and admins'],
  },
  {
    name: 'amounts shown in their currency for good without a question',
    file: 'src/contract/hubspot/hubspot-amounts.ts',
    text: 'isConfirmed: z.literal(true)',
    replacement: 'isConfirmed: z.boolean().optional()',
    caughtBy: [amounts, 'are asked about first, by owners and admins'],
  },
  {
    name: 'Stripe disconnected by a member',
    file: 'src/contract/connections.ts',
    text: "access: 'admin',\n  audit: 'stripe_disconnected',",
    replacement: "access: 'member',\n  audit: 'stripe_disconnected',",
    caughtBy: [walk, table],
  },
  {
    name: 'what was imported deleted by a member, for the key of another account',
    file: 'src/contract/connections.ts',
    text: "access: 'admin',\n  audit: 'stripe_connected',",
    replacement: "access: 'member',\n  audit: 'stripe_connected',",
    caughtBy: [walk, table],
  },
  {
    name: 'the way to the consent of HubSpot open to a member',
    file: 'src/contract/connections.ts',
    text: "path: '/api/hubspot/auth-url',\n  access: 'admin',",
    replacement: "path: '/api/hubspot/auth-url',\n  access: 'member',",
    caughtBy: [walk, 'changes nothing by reading'],
  },
  {
    name: 'everything imported anew by a member',
    file: 'src/server/work/import/start-import.ts',
    text: "requireManager(origin.askedBy ?? 'member', 'import everything again')",
    replacement: '{}',
    caughtBy: [walk, 'is refused an import of everything anew'],
  },
  {
    name: 'a domain never matched because a member says so',
    file: 'src/server/work/match/match-rules.ts',
    text: 'if (companyRecordId === null) requireManager(by.role, neverDeed)',
    replacement: '',
    caughtBy: [walk, 'is refused a rule that a domain is never matched'],
  },
  {
    name: 'a domain matched again because a member says so',
    file: 'src/server/work/match/match-rules.ts',
    text: "if (rule?.kind === 'never') requireManager(by, neverDeed)",
    replacement: '',
    caughtBy: [walk, 'is refused its removal'],
  },
  {
    name: 'a consent ended by somebody who is no admin any more',
    file: 'src/server/work/connections/connect-crm.ts',
    text: 'if (!isManager(connector.role)) return',
    replacement: 'if (false) return',
    caughtBy: [connections, 'has lost the role behind our back'],
  },
  {
    name: 'a consent that waits for a demoted admin to come back',
    file: 'src/server/work/organization/change-members.ts',
    text: 'if (!isManager(role)) await endBegun(tenant, target.userId)',
    replacement: '',
    caughtBy: [connections, 'and is made a member is refused'],
  },
  {
    name: 'a consent that waits for a removed admin to come back',
    file: 'src/server/work/organization/change-members.ts',
    text: 'await removeMember(tenant, target.id)\n    await endBegun(tenant, target.userId)',
    replacement: 'await removeMember(tenant, target.id)',
    caughtBy: [connections, 'and is removed is refused'],
  },
  {
    name: 'an invitation by which a removed admin comes back',
    file: 'src/server/work/organization/change-members.ts',
    text: 'await cancelInvitationsBy(tenant, userId)',
    replacement: '',
    caughtBy: ['src/server/api/organization/invitations.test.ts', 'ends where the admin who invited'],
  },
  {
    name: 'another HubSpot account connected in silence',
    file: 'src/server/work/connections/keep-crm-connection.ts',
    text: 'if (portalBefore !== undefined && portalBefore !== connection.accountId) {',
    replacement: 'if (false) {',
    caughtBy: [connections, 'that another HubSpot account was connected'],
  },
  {
    name: 'another service key connected in silence',
    file: 'src/server/work/connections/keep-crm-connection.ts',
    text: '} else if (isOtherSecret && connection.secretHint !== null) {',
    replacement: '} else if (isOtherSecret && connection.secretHint === null) {',
    caughtBy: [byKey, 'is told to the owners by mail, masked'],
  },
  {
    name: 'another Stripe key connected in silence',
    file: 'src/server/work/connections/connect-payments.ts',
    text: 'if (replaced && !isSameKey)',
    replacement: 'if (false)',
    caughtBy: [connections, 'that a key of another Stripe account was connected'],
  },
]
