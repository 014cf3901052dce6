import { deleteAccount, deleteOrganization } from '#contract/deletion.ts'
import type { Context } from '../../http/context.ts'
import { type Router, serve } from '../../http/serve.ts'
import { deleteAccount as eraseAccount } from '../../work/erasure/delete-account.ts'
import { deleteOrganization as eraseOrganization } from '../../work/erasure/delete-organization.ts'
import { enterOrganization } from './organization.ts'

export function serveDeletion(router: Router): void {
  serve(router, deleteOrganization, async (context, { body }) => {
    const { deps, organizationId, actor } = context
    await requireProof(context, body.password)
    await eraseOrganization(deps, { organizationId, actor }, body.name)
    await enterOrganization(context, null)
    return { success: true as const, message: 'The organization is deleted.' }
  })

  serve(router, deleteAccount, async (context, { body }) => {
    await requireProof(context, body.password)
    await eraseAccount(context.deps.database, context.actor, body.email)
    return { success: true as const, message: 'Your account is deleted.' }
  })
}

function requireProof({ deps, request, actor }: Context, password: string): Promise<void> {
  return deps.identity.requireProof(request.headers, {
    password,
    email: actor.email,
    address: actor.address,
  })
}
