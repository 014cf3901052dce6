import { deleteView, listViews, renameView, saveView, updateView } from '#contract/lists/list-views.ts'
import { type Router, serve } from '../../http/serve.ts'
import { Refusal } from '../../refusal.ts'
import {
  deleteStoredView,
  insertView,
  isViewNameTaken,
  listStoredViews,
  updateViewName,
  updateViewQuery,
} from '../../store/lists/list-views.ts'

/** More would not fit a menu. */
const viewsMax = 50

export function serveListViews(router: Router): void {
  serve(router, listViews, ({ actor: { userId }, inOrganization }, { query }) =>
    inOrganization(async (tenant) => ({
      views: await listStoredViews(tenant, { userId, list: query.list }),
    })),
  )

  serve(router, saveView, ({ actor: { userId }, inOrganization }, { body: { list, ...view } }) =>
    inOrganization(async (tenant) => {
      const owner = { userId, list }
      if ((await listStoredViews(tenant, owner)).length >= viewsMax)
        throw new Refusal('conflict', `You have ${viewsMax} views already. Delete one first.`)
      if (!(await insertView(tenant, owner, view))) throw taken(view.name)
      return { success: true as const, message: `Saved as '${view.name}'.` }
    }),
  )

  serve(router, updateView, ({ actor: { userId }, inOrganization }, { body: { list, ...view } }) =>
    inOrganization(async (tenant) => {
      if (!(await updateViewQuery(tenant, { userId, list }, view))) throw unknown(view.name)
      return { success: true as const, message: `Updated '${view.name}'.` }
    }),
  )

  serve(router, renameView, ({ actor: { userId }, inOrganization }, { body: { list, name, newName } }) =>
    inOrganization(async (tenant) => {
      const owner = { userId, list }
      if (await isViewNameTaken(tenant, owner, newName, name)) throw taken(newName)
      if (!(await updateViewName(tenant, owner, { name, newName }))) throw unknown(name)
      return { success: true as const, message: `Renamed to '${newName}'.` }
    }),
  )

  serve(router, deleteView, ({ actor: { userId }, inOrganization }, { body: { list, name } }) =>
    inOrganization(async (tenant) => {
      await deleteStoredView(tenant, { userId, list }, name)
      return { success: true as const, message: `Deleted '${name}'.` }
    }),
  )
}

const unknown = (name: string) =>
  new Refusal(
    'not_found',
    `There is no view called '${name}' now: it was renamed or deleted. Choose another one.`,
  )

const taken = (name: string) =>
  new Refusal('conflict', `You already have a view called '${name}'. Choose another name.`)
