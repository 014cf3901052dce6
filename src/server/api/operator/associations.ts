import {
  type associationTypes,
  checkMissingAssociations,
  fixMissingAssociations,
  testAssociation,
} from '#contract/diagnostics.ts'
import { type Router, serve } from '../../http/serve.ts'
import { type AssociationKind, associationKinds } from '../../store/crm/crm-associations.ts'
import { countRecords } from '../../store/setup/setup-facts.ts'
import { associateByHand } from '../../work/push/associate-by-hand.ts'
import { type AssociationCheck, checkAssociations } from '../../work/push/check-associations.ts'
import { repairNow } from '../../work/push/repair-associations.ts'

const kindOf: Record<Exclude<(typeof associationTypes)[number], 'all'>, AssociationKind> = {
  'transaction-to-subscription': { kind: 'event', target: 'subscription' },
  'subscription-to-company': { kind: 'subscription', target: 'company' },
  'subscription-to-contact': { kind: 'subscription', target: 'contact' },
  'transaction-to-company': { kind: 'event', target: 'company' },
  'transaction-to-contact': { kind: 'event', target: 'contact' },
}

export function serveAssociations(router: Router): void {
  serve(router, checkMissingAssociations, async ({ deps, organizationId, inOrganization, request }) => {
    const checks = await checkAssociations(deps, organizationId, request.signal)
    const counts = await inOrganization(countRecords)
    const totalChecked = checks.reduce((sum, { checked }) => sum + checked, 0)
    const totalMissing = checks.reduce((sum, { missing }) => sum + missing, 0)
    return {
      success: true,
      message: `Found ${totalMissing} missing associations out of ${totalChecked} checked.`,
      results: {
        subscriptionCount: counts.subscriptions,
        transactionCount: counts.events,
        associationCounts: {
          totalChecked,
          totalMissing,
          missingByKind: byKind((kind) => findCheck(checks, kind)?.missing ?? 0),
        },
        missingAssociations: byKind((kind) => rowsOf(findCheck(checks, kind))),
      },
    }
  })

  serve(router, fixMissingAssociations, async ({ deps, organizationId, session }, { body }) => {
    const { associationType } = body
    const kinds = associationType === 'all' ? associationKinds : [kindOf[associationType]]
    const { attempted, successful } = await repairNow(deps, organizationId, kinds, {
      by: 'person',
      userId: session.user.id,
    })
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

function byKind<Value>(pick: (kind: AssociationKind) => Value) {
  return {
    transactionsToSubscriptions: pick(kindOf['transaction-to-subscription']),
    subscriptionsToCompanies: pick(kindOf['subscription-to-company']),
    subscriptionsToContacts: pick(kindOf['subscription-to-contact']),
    transactionsToCompanies: pick(kindOf['transaction-to-company']),
    transactionsToContacts: pick(kindOf['transaction-to-contact']),
  }
}

function findCheck(checks: readonly AssociationCheck[], { kind, target }: AssociationKind) {
  return checks.find((check) => check.kind === kind && check.target === target)
}

/** The first missing associations of one kind, with both records as we and HubSpot know them. */
function rowsOf(check: AssociationCheck | undefined) {
  return (check?.rows ?? []).map(({ sourceId, fromRecordId, toRecordId }) => ({
    sourceId,
    fromRecordId,
    toRecordId,
  }))
}
