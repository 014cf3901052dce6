import {
  checkHubspotObjects,
  createHubspotObjects,
  createHubspotObjectsByKey,
  getHubspotObjectPlan,
  getHubspotObjects,
  takeOverHubspotObjects,
} from '#contract/connections.ts'
import { bindHubspotAmounts, getHubspotAmounts } from '#contract/hubspot/hubspot-amounts.ts'
import { type Router, serve } from '../../http/serve.ts'
import { hasConverted } from '../../store/reporting/conversions.ts'
import { createObjectsByKey } from '../../work/connections/create-objects-by-key.ts'
import { bindAmounts, readAmounts } from '../../work/crm/bind-amounts.ts'
import { ensureCrmObjects, getCrmObjects } from '../../work/crm/ensure-crm-objects.ts'
import { checkObjects, takeOverObjects } from '../../work/crm/take-over-objects.ts'

/** The custom objects: their state, and the ways to get them. */
export function serveHubspotObjects(router: Router): void {
  serve(router, getHubspotObjects, ({ deps, organizationId }) => getCrmObjects(deps, organizationId))
  serve(router, createHubspotObjects, ({ deps, organizationId }) => ensureCrmObjects(deps, organizationId))
  serve(router, createHubspotObjectsByKey, ({ deps, organizationId }, { body }) =>
    createObjectsByKey(deps, organizationId, body.serviceKey),
  )
  serve(router, getHubspotObjectPlan, async ({ deps, inOrganization }) => ({
    objects: deps.crm.planObjects(await inOrganization(hasConverted)),
  }))
  serve(router, checkHubspotObjects, async ({ deps, organizationId }) => ({
    objects: (await checkObjects(deps, organizationId)).map(
      ({ name, label, objectTypeId, isOurs, differences }) => ({
        name,
        label,
        objectTypeId,
        isOurs,
        differences,
      }),
    ),
  }))
  serve(router, takeOverHubspotObjects, ({ deps, organizationId }, { body }) =>
    takeOverObjects(deps, organizationId, body.objects),
  )
  serve(router, getHubspotAmounts, ({ deps, organizationId }) => readAmounts(deps, organizationId))
  serve(
    router,
    bindHubspotAmounts,
    ({ deps, organizationId }, { body }) => bindAmounts(deps, organizationId, body.portalId),
    undefined,
    ({ body }) => body.portalId,
  )
}
