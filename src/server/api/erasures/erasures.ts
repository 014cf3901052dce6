import {
  countedOthersMax,
  deleteErasedContact,
  downloadCertificate,
  type Erasure as ErasureOnWire,
  eraseCustomer,
  getErasure,
  getErasureQuestion,
  listErasures as listErasuresCall,
  saveErasureSettings,
} from '#contract/erasures.ts'
import type { Context } from '../../http/context.ts'
import { type Router, serve } from '../../http/serve.ts'
import { findPersonAsked } from '../../store/erasure/erase-rows.ts'
import {
  countDeleted,
  type ErasureRow,
  erasureReasons,
  findErasure,
  listErasures,
} from '../../store/erasure/erasures.ts'
import { getSettings, updateSettings } from '../../store/setup/settings.ts'
import { deleteErasedContact as deleteContact, unknownErasure } from '../../work/erasure/delete-contact.ts'
import { eraseCustomer as erase, unknownCustomer } from '../../work/erasure/erase-customer.ts'
import { settingsStanding } from '../standing.ts'
import { certificateOf } from './erasure-certificate.ts'

const shownMax = 500

export function serveErasures(router: Router): void {
  serve(router, listErasuresCall, ({ inOrganization }) =>
    inOrganization(async (tenant) => {
      const { erasesDeletedCustomers } = await getSettings(tenant)
      const erasures = await listErasures(tenant, shownMax)
      return {
        erasures: erasures.map(toWire),
        settings: { erasesDeletedCustomers },
        deletedCustomers: await countDeleted(tenant),
      }
    }),
  )

  serve(router, getErasureQuestion, ({ inOrganization }, { params: { customerId } }) =>
    inOrganization(async (tenant) => {
      const person = await findPersonAsked(tenant, customerId, countedOthersMax)
      if (person === undefined) throw unknownCustomer()
      return person
    }),
  )

  serve(router, eraseCustomer, async (context, { body }) => {
    const { deps, organizationId, actor } = context
    const ids = await erase(deps, organizationId, { ...body, reason: 'asked', actor })
    return { erasures: await Promise.all(ids.map((id) => read(context, id))) }
  })

  serve(router, getErasure, (context, { params }) => read(context, params.erasureId))

  serve(router, downloadCertificate, async (context, { params }) => {
    const erasure = await read(context, params.erasureId)
    return new Response(certificateOf(erasure), {
      headers: {
        'content-type': 'text/plain; charset=utf-8',
        'content-disposition': `attachment; filename="erasure-${erasure.id}.txt"`,
      },
    })
  })

  serve(router, deleteErasedContact, async (context, { params }) => {
    const { deps, organizationId, actor } = context
    await deleteContact(deps, { organizationId, actor }, params.erasureId)
    return read(context, params.erasureId)
  })

  serve(
    router,
    saveErasureSettings,
    ({ inOrganization }, { body }) =>
      inOrganization(async (tenant) => {
        const { erasesDeletedCustomers } = await updateSettings(tenant, body)
        return { erasesDeletedCustomers }
      }),
    settingsStanding,
  )
}

async function read({ inOrganization }: Context, id: string): Promise<ErasureOnWire> {
  const erasure = await inOrganization((tenant) => findErasure(tenant, id))
  if (!erasure) throw unknownErasure()
  return toWire(erasure)
}

function toWire(erasure: ErasureRow): ErasureOnWire {
  const deletedAt = erasure.crm_deleted_at?.toISOString() ?? null
  return {
    id: erasure.id,
    pseudonym: erasure.pseudonym,
    // The database accepts no other value.
    reason: erasureReasons.find((reason) => reason === erasure.reason) ?? 'asked',
    erasedAt: erasure.erased_at.toISOString(),
    counts: countsOf(erasure.counts),
    hubspotRewrittenAt: erasure.crm_rewritten_at?.toISOString() ?? null,
    hubspotContact: deletedAt !== null ? 'deleted' : erasure.crm_portal_id === null ? 'none' : 'kept',
    hubspotContactDeletedAt: deletedAt,
  }
}

function countsOf(kept: unknown): Record<string, number> {
  return Object.fromEntries(
    Object.entries(Object(kept)).flatMap(([what, count]) =>
      typeof count === 'number' ? [[what, count]] : [],
    ),
  )
}
