import type { CrmTarget } from '#domain/crm-record.ts'

/** A record that a run linked one of ours to, or took it off from. */
export type LinkTarget = { portalId: string; target: CrmTarget; recordId: string }

/** The key under which a run's record keeps an association. */
export function linkKey({ portalId, target, recordId }: LinkTarget): string {
  return [portalId, target, recordId].join('/')
}

/** The target of a key. */
export function targetOfKey(key: string): LinkTarget {
  const [portalId = '', target, ...recordId] = key.split('/')
  const isKnown = target === 'company' || target === 'contact'
  return { portalId, target: isKnown ? target : 'subscription', recordId: recordId.join('/') }
}
