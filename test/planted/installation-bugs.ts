import type { Bug } from './bug.ts'

const role = 'src/server/store/installation/application-role.ts'
const roleTest = 'src/server/store/installation/application-role.test.ts'

/** What only shows beside another installation, under an owner without power, or after a restore. */
export const installationBugs: readonly Bug[] = [
  {
    name: 'attributes of the role denied by an owner who may not name them',
    file: role,
    text: '} login password $',
    replacement: '} login nosuperuser nobypassrls password $',
    caughtBy: [roleTest, 'is migrated any number of times'],
  },
  {
    name: 'one role for all installations of a cluster',
    file: role,
    text: 'const name = `${prefix}${database}`',
    replacement: 'const name = `${prefix}${database && "one"}`',
    caughtBy: [roleTest, 'have roles and passwords of their own'],
  },
  {
    name: 'a database open to the roles of others',
    file: role,
    text: '`revoke connect on database ${name} from public; grant',
    replacement: '`grant',
    caughtBy: [roleTest, 'have roles and passwords of their own'],
  },
  {
    name: 'a role with power taken as it is',
    file: role,
    text: 'if (powers.length > 0)',
    replacement: 'if (false)',
    caughtBy: [roleTest, 'refuses a role that has been given power'],
  },
  {
    name: "the role's password readable by the role",
    file: role,
    text: '    revoke all on table application_role from ${role};\n',
    replacement: '',
    caughtBy: [roleTest, 'has a role whose password it alone can read'],
  },
]
