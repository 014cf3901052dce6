import { useQueryClient } from '@tanstack/react-query'
import {
  deleteView,
  listViews,
  renameView,
  saveView,
  updateView,
  type ViewedList,
} from '#contract/lists/list-views.ts'
import { call, endpointKey, serverText, useEndpoint } from '../client.ts'
import { useCurrentUser } from './session.ts'

/** A person's saved views of a list, and what can be done with them. */
export function useListViews(list: ViewedList) {
  const client = useQueryClient()
  const { data } = useEndpoint(listViews, { query: { list } })
  const after = async (work: Promise<unknown>): Promise<string | null> => {
    const failed = await work.then(
      () => null,
      (error: unknown) => serverText(error, 'The view could not be changed. Try again.'),
    )
    // Also of a failed change: the view may have been renamed or deleted in another tab.
    await client.invalidateQueries({ queryKey: endpointKey(listViews) })
    return failed
  }
  return {
    views: data?.views ?? [],
    save: (name: string, query: string) => after(call(saveView, { body: { list, name, query } })),
    update: (name: string, query: string) => after(call(updateView, { body: { list, name, query } })),
    rename: (name: string, newName: string) => after(call(renameView, { body: { list, name, newName } })),
    remove: (name: string) => after(call(deleteView, { body: { list, name } })),
  }
}

/** Under what the browser keeps the columns that this person chose for a list; undefined until the person is known. */
export function useColumnsKey(list: ViewedList): string | undefined {
  const id = useCurrentUser().data?.id
  return id === undefined ? undefined : `columns of ${list}, ${id}`
}
