import type { Bug } from './bug.ts'

const walls = 'test/safety/walls.test.ts'
const prober = 'test/safety/prober.test.ts'
const access = 'src/server/api/access.test.ts'

/** Holes between organizations, and in the rights of roles. */
export const tenancyBugs: readonly Bug[] = [
  {
    name: 'a list without its filter by organization',
    file: 'src/server/store/lists/subscription-list.ts',
    text: `    .where('s.organization_id', '=', tenant.organizationId)`,
    replacement: '',
    caughtBy: [walls, 'where row-level security is not there'],
  },
  {
    name: 'row-level security off',
    file: 'db/migrations/0001_schema.sql',
    text: `    execute format('alter table %I enable row level security', table_name);`,
    replacement: '',
    caughtBy: [walls, 'asks for everything'],
  },
  {
    name: 'row-level security not forced upon the owner',
    file: 'db/migrations/0001_schema.sql',
    text: `    execute format('alter table %I force row level security', table_name);`,
    replacement: '',
    caughtBy: ['test/schema.test.ts', 'forced row-level security'],
  },
  {
    name: 'a policy that lets anything be written',
    file: 'db/migrations/0001_schema.sql',
    text: `with check (organization_id = current_organization())'`,
    replacement: `with check (true)'`,
    caughtBy: [walls, 'takes no row for another organization'],
  },
  {
    name: 'the organization named by a header',
    file: 'src/server/http/context.ts',
    text: 'const id = session?.organization?.id',
    replacement: `const id = Number(request.headers.get('x-organization-id')) || session?.organization?.id`,
    caughtBy: [walls, 'alone decides which organization'],
  },
  {
    name: 'an endpoint for admins open to members',
    file: 'src/server/http/context.ts',
    text: `if (access === 'admin' && !isManager(session.organization.role)) {`,
    replacement: 'if (false) {',
    caughtBy: [access, 'is refused to plain members'],
  },
  {
    name: "the operator's viewer open to everyone",
    file: 'src/server/http/context.ts',
    text: 'if (!isOperator(deps, session))',
    replacement: 'if (false)',
    caughtBy: [access, 'is refused to whoever is no operator'],
  },
  {
    name: 'a member of nothing let in',
    file: 'src/server/http/context.ts',
    text: 'if (session.organization === null) {',
    replacement: 'if (false) {',
    caughtBy: [prober, 'finds nothing of one organization'],
  },
  {
    name: 'a session of somebody else ended',
    file: 'src/server/store/accounts/sessions.ts',
    text: `    .where('id', '=', sessionId)\n    .where('userId', '=', userId)`,
    replacement: `    .where('id', '=', sessionId)`,
    caughtBy: [prober, 'finds nothing of one organization'],
  },
  {
    name: 'the sessions of everybody listed',
    file: 'src/server/store/accounts/sessions.ts',
    text: `    .where('userId', '=', userId)\n    .where('expiresAt'`,
    replacement: `    .where('expiresAt'`,
    caughtBy: ['src/server/api/account/sign-in.test.ts', 'is listed without its token'],
  },
  {
    name: 'a membership that outlives its end',
    file: 'src/server/providers/identity/create-identity.ts',
    text: 'activeId === null ? undefined : await findMembership(database, userId, activeId)',
    replacement: `activeId === null ? undefined : { id: activeId, name: 'Any', role: 'member' }`,
    caughtBy: ['src/server/api/account/account.test.ts', 'ends with the membership'],
  },
  {
    name: 'a foreign run told from an unknown one',
    file: 'src/server/api/runs/run-answers.ts',
    text: `throw new Refusal('not_found', 'There is no such import or sync. Look for it in Sync History.')`,
    replacement: `throw new Refusal('not_found', \`There is no such import or sync: \${id}\`)`,
    caughtBy: [prober, 'finds nothing of one organization'],
  },
  {
    name: 'a sealed secret that opens in another organization',
    file: 'src/server/seal.ts',
    text: 'JSON.stringify([place.organizationId, place.provider, place.field, version])',
    replacement: 'JSON.stringify([version])',
    caughtBy: ['src/server/seal.test.ts', 'that was moved to'],
  },
]
