import { describe, expect, it } from 'vitest'
import { hubspotScopes, objectScopes, splitScopes } from './scopes.ts'

describe('the list of scopes', () => {
  it('names each scope once, in one of the two lists', () => {
    const { required, optional } = splitScopes()
    const names = hubspotScopes.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect([...required, ...optional].sort()).toEqual([...names].sort())
  })

  it('lets a portal without custom objects connect', () => {
    expect(splitScopes().required.filter((scope) => scope.includes('.custom.'))).toEqual([])
    expect(objectScopes).toEqual([
      'crm.schemas.custom.read',
      'crm.schemas.custom.write',
      'crm.objects.custom.read',
      'crm.objects.custom.write',
    ])
  })

  it('asks for what later work needs, so that nobody is asked twice', () => {
    expect(splitScopes().optional).toEqual(
      expect.arrayContaining(['crm.schemas.contacts.write', 'settings.currencies.read']),
    )
  })

  it('leaves out what the app of an installation does not name', () => {
    const without = ['crm.schemas.custom.write']
    expect(splitScopes(without).optional).toEqual(
      splitScopes().optional.filter((scope) => scope !== without[0]),
    )
    expect(splitScopes(without).required).toEqual(splitScopes().required)
  })
})
