import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { done, text } from '../fields.ts'

export const viewedLists = ['subscriptions', 'events', 'customers'] as const
export type ViewedList = (typeof viewedLists)[number]

const list = z.enum(viewedLists)
const name = text(60).refine((value) => value !== '', 'must not be empty')

/** A view that a person saved: the address of the list behind its '?'. */
const view = z.object({ name: z.string(), query: z.string() })

export const listViews = endpoint({
  method: 'GET',
  path: '/api/views',
  access: 'member',
  summary: "The caller's saved views of a list, by name. Nobody else sees them.",
  query: z.strictObject({ list: list.default('subscriptions') }),
  response: z.object({ views: z.array(view) }),
})

export const saveView = endpoint({
  method: 'POST',
  path: '/api/views/save',
  access: 'member',
  audit: 'none',
  summary: 'Saves a view of a list under a new name.',
  body: z.strictObject({ list, name, query: text(4_000) }),
  response: done,
})

export const updateView = endpoint({
  method: 'POST',
  path: '/api/views/update',
  access: 'member',
  audit: 'none',
  summary: "Lets one of the caller's views keep another search, other filters, columns and order.",
  body: z.strictObject({ list, name, query: text(4_000) }),
  response: done,
})

export const renameView = endpoint({
  method: 'POST',
  path: '/api/views/rename',
  access: 'member',
  audit: 'none',
  summary: "Renames one of the caller's views.",
  body: z.strictObject({ list, name, newName: name }),
  response: done,
})

export const deleteView = endpoint({
  method: 'POST',
  path: '/api/views/delete',
  access: 'member',
  audit: 'none',
  summary: "Deletes one of the caller's views.",
  body: z.strictObject({ list, name }),
  response: done,
})
