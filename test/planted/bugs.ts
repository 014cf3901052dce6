import { accountBugs } from './account-bugs.ts'
import { answerBugs } from './answer-bugs.ts'
import { budgetBugs } from './budget-bugs.ts'
import type { Bug } from './bug.ts'
import { crmBugs } from './crm-bugs.ts'
import { dashboardBugs } from './dashboard-bugs.ts'
import { erasureBugs } from './erasure-bugs.ts'
import { fairnessBugs } from './fairness-bugs.ts'
import { goingLiveBugs } from './going-live-bugs.ts'
import { httpBugs } from './http-bugs.ts'
import { importBugs } from './import-bugs.ts'
import { installationBugs } from './installation-bugs.ts'
import { itemBugs } from './item-bugs.ts'
import { listBugs } from './list-bugs.ts'
import { moveBugs } from './move-bugs.ts'
import { mrrBugs } from './mrr-bugs.ts'
import { operationBugs } from './operation-bugs.ts'
import { peopleBugs } from './people-bugs.ts'
import { receiptBugs } from './receipt-bugs.ts'
import { refusalBugs } from './refusal-bugs.ts'
import { reportingBugs } from './reporting-bugs.ts'
import { reviewBugs } from './review-bugs.ts'
import { roleBugs } from './role-bugs.ts'
import { runBugs } from './run-bugs.ts'
import { secretBugs } from './secret-bugs.ts'
import { settingsBugs } from './settings-bugs.ts'
import { shellBugs } from './shell-bugs.ts'
import { statusBugs } from './status-bugs.ts'
import { sumBugs } from './sum-bugs.ts'
import { tenancyBugs } from './tenancy-bugs.ts'
import { totalsBugs } from './totals-bugs.ts'

/** Every planted bug; `npm run planted` puts each into a copy and requires that its test fails. */
export const bugs: readonly Bug[] = [
  ...tenancyBugs,
  ...peopleBugs,
  ...reportingBugs,
  ...roleBugs,
  ...erasureBugs,
  ...accountBugs,
  ...answerBugs,
  ...budgetBugs,
  ...httpBugs,
  ...importBugs,
  ...fairnessBugs,
  ...secretBugs,
  ...moveBugs,
  ...mrrBugs,
  ...itemBugs,
  ...statusBugs,
  ...receiptBugs,
  ...crmBugs,
  ...refusalBugs,
  ...installationBugs,
  ...operationBugs,
  ...goingLiveBugs,
  ...settingsBugs,
  ...totalsBugs,
  ...dashboardBugs,
  ...reviewBugs,
  ...listBugs,
  ...sumBugs,
  ...shellBugs,
  ...runBugs,
]
