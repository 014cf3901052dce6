import { z } from 'zod'
import { segmentKinds } from '#domain/segment.ts'
import { endpoint } from '../endpoint.ts'
import { rangeDays } from '../fields.ts'
import { getMrrMovements, getMrrRetention } from '../mrr.ts'

const file = { method: 'GET', access: 'member', answers: 'file', response: z.any() } as const
const days = z.strictObject(rangeDays)

export const exportMovements = endpoint({
  ...file,
  path: '/api/csv/movements',
  summary: 'What moved MRR in each month or quarter, and in each currency without a rate, as a CSV file.',
  query: getMrrMovements.query,
})

export const exportRetention = endpoint({
  ...file,
  path: '/api/csv/retention',
  summary: 'Net and gross revenue retention as a CSV file.',
  query: getMrrRetention.query,
})

export const exportSegments = endpoint({
  ...file,
  path: '/api/csv/segments',
  summary: 'What moved the MRR of every segment, highest MRR first, as a CSV file.',
  query: z.strictObject({ ...rangeDays, by: z.enum(segmentKinds).default('product') }),
})

export const exportCohorts = endpoint({
  ...file,
  path: '/api/csv/cohorts',
  summary: 'MRR and paying customers of each cohort at the end of each month, as a CSV file.',
  query: days,
})

export const exportSnapshots = endpoint({
  ...file,
  path: '/api/csv/snapshots',
  summary: 'MRR on the 1st of each month within some UTC days as a CSV file, ascending by month.',
  query: days,
})

export const exportMrrTrend = endpoint({
  ...file,
  path: '/api/csv/mrr-trend',
  summary: 'MRR at the start of each month and now, within some UTC days, as a CSV file.',
  query: days,
})
