import { checkMissingAssociations, fixMissingAssociations, testAssociation } from '#contract/diagnostics.ts'
import { type Router, serve } from '../http/serve.ts'
import { countRecords } from '../store/setup-facts.ts'
import { associateByHand } from '../work/associate-by-hand.ts'
import { type AssociationCheck, checkAssociations, fixAssociations } from '../work/check-associations.ts'

export function serveAssociations(router: Router): void {
  serve(router, checkMissingAssociations, async ({ deps, organizationId, inOrganization }) => {
    const checks = await checkAssociations(deps, organizationId)
    const counts = await inOrganization(countRecords)
    const totalChecked = checks.reduce((sum, { checked }) => sum + checked, 0)
    const totalMissing = checks.reduce((sum, { missing }) => sum + missing, 0)
    return {
      success: true,
      message: `Found ${totalMissing} missing associations out of ${totalChecked} checked.`,
      results: {
        subscriptionCount: counts.subscriptions,
        transactionCount: counts.events,
        associationCounts: { totalChecked, totalMissing },
        missingAssociations: {
          transactionsToSubscriptions: rowsOf(checks, 'event', 'subscription'),
          subscriptionsToCompanies: rowsOf(checks, 'subscription', 'company'),
          subscriptionsToContacts: rowsOf(checks, 'subscription', 'contact'),
          transactionsToCompanies: rowsOf(checks, 'event', 'company'),
          transactionsToContacts: rowsOf(checks, 'event', 'contact'),
        },
      },
    }
  })

  serve(router, fixMissingAssociations, async ({ deps, organizationId }) => {
    const kind = { kind: 'event', target: 'subscription' } as const
    const { attempted, successful } = await fixAssociations(deps, organizationId, kind)
    return {
      success: attempted === successful,
      message: `Successfully fixed ${successful} out of ${attempted} associations.`,
      fixResults: { attempted, successful },
    }
  })

  serve(router, testAssociation, ({ deps, organizationId }, { body }) =>
    associateByHand(deps, organizationId, {
      eventId: body.transactionId,
      subscriptionId: body.subscriptionId,
    }),
  )
}

/** The first of what one kind lacks, as they stand here and in HubSpot. */
function rowsOf(
  checks: readonly AssociationCheck[],
  kind: AssociationCheck['kind'],
  target: AssociationCheck['target'],
) {
  const check = checks.find((one) => one.kind === kind && one.target === target)
  return (check?.rows ?? []).map(({ sourceId, fromRecordId, toRecordId }) => ({
    sourceId,
    fromRecordId,
    toRecordId,
  }))
}
