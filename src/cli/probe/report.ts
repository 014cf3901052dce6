import { markdownTable } from '../markdown-table.ts'
import type { Finding } from './ask.ts'

/** The table that people read and send: one row for each question. */
export function tableOf(findings: readonly Finding[]): string {
  return markdownTable(
    ['question', 'answer', 'evidence'],
    findings.map(({ question, answer, evidence }) => [question, answer, evidence]),
  )
}

/** Hides what a provider's own words may hold of secrets, addresses, ids and amounts. */
export function withoutSecrets(text: string): string {
  return text
    .replaceAll(/\b(?:sk|rk|pk|whsec|pat)[_-][\w•*-]+/g, '(key)')
    .replaceAll(/\b[\w.+-]+@[\w.-]+\b/g, '(address)')
    .replaceAll(/\b(?:[a-z]{2,6}_[A-Za-z0-9]{6,}|[0-9a-f]{8}-[0-9a-f-]{20,})\b/g, '(id)')
    .replaceAll(/\d{4,}/g, '(number)')
    .slice(0, 200)
}
