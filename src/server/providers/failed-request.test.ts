import { expect, it } from 'vitest'
import { safeRequest } from './failed-request.ts'

it('keeps what the support of a provider asks for', () => {
  const request = {
    method: 'POST',
    path: '/crm/objects/2026-09/2-24180/batch/upsert?archived=false',
    status: 400,
    code: 'VALIDATION_ERROR',
    id: '0190c5a2-7d1e-4b0a-9f52-3c1f0a5b7e11',
  }
  expect(safeRequest(request)).toEqual({ ...request, path: '/crm/objects/2026-09/{id}/batch/upsert' })
  expect(safeRequest({ path: '/v1/invoices/:id/lines', id: 'req_8fJq2kLm0pQrSt' })).toEqual({
    path: '/v1/invoices/{id}/lines',
    id: 'req_8fJq2kLm0pQrSt',
  })
})

it.each([
  ['/crm/objects/2026-09/contacts/pat@birch.example', '/crm/objects/2026-09/contacts/{id}'],
  ['/v1/customers/cus_9fJ2kLm', '/v1/customers/{id}'],
  ['/v1/customers/Pat', '/v1/customers/{id}'],
])('leaves out whom a path names: %s', (path, kept) => {
  expect(safeRequest({ path })).toEqual({ path: kept })
})

it.each([
  { id: 'sk_test_51HxWqY2eZvKYlo2C' },
  { id: 'pat-na1-01234567-89ab-4cde-8f01' },
  { id: 'pat@birch.example' },
  { id: 'Pat-Birch' },
  { id: `req_${'1'.repeat(80)}` },
  { code: 'No customer pat@birch.example' },
  { code: 'Pat' },
  { method: 'Pat' },
  { status: 7 },
])('leaves out what an answer may hold in place of an id: %o', (request) => {
  expect(safeRequest(request)).toEqual({})
})
