import type { Bug } from './bug.ts'

const whole = 'src/server/providers/hubspot/whole-reads.test.ts'

/** Answers of HubSpot that are not whole, or not its own. */
export const answerBugs: readonly Bug[] = [
  {
    name: 'errors of a read taken for rows that are not there',
    file: 'src/server/providers/hubspot/answers.ts',
    text: '&& errors.every(isNone)',
    replacement: '&& errors.every((error) => isNone(error) || true)',
    caughtBy: [whole, 'for no answer, and asks again'],
  },
  {
    name: 'a read that HubSpot has not done yet taken for an empty one',
    file: 'src/server/providers/hubspot/answers.ts',
    text: "status === undefined || status === 'COMPLETE'",
    replacement: "status === undefined || status !== ''",
    caughtBy: [whole, 'for no answer, and asks again'],
  },
  {
    name: 'a row that a read leaves out taken for a deleted record',
    file: 'src/server/providers/hubspot/read-records.ts',
    text: '<= renamed.length',
    replacement: '<= renamed.length + ids.length',
    caughtBy: [whole, 'for no answer, and asks again'],
  },
  {
    name: 'two pages of associations that lead to each other are read without end',
    file: 'src/server/providers/hubspot/standing-pairs.ts',
    text: 'if (seen.has(page))',
    replacement: "if (page === '' && seen.has(page))",
    caughtBy: [whole, 'ends where pages lead back'],
  },
  {
    name: 'a list that leads back is followed without end',
    file: 'src/server/providers/hubspot/read-records.ts',
    text: 'if (to < from)',
    replacement: 'if (to < from && to < 0)',
    caughtBy: [whole, 'does not follow a page that leads back'],
  },
  {
    name: 'a failure of HubSpot itself taken for a refusal of the record',
    file: 'src/server/providers/hubspot/answers.ts',
    text: "return category === 'INTERNAL_ERROR' ||",
    replacement: "return category === 'NONE' ||",
    caughtBy: [whole, 'of its own'],
  },
  {
    name: 'a refused app told as a request that HubSpot refused',
    file: 'src/server/providers/hubspot/oauth.ts',
    text: '.catch(nameRefusedApp)',
    replacement: '',
    caughtBy: ['src/server/work/connections/scenarios/refused-app.test.ts', 'a connection outlasts an app'],
  },
]
