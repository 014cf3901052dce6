const percent = { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 } as const

/** Writes a share for a person: 0.9876 is '98.8%', null is '–'. */
export function formatShare(share: number | null): string {
  if (share === null) return '–'
  return share.toLocaleString('en-US', percent)
}

/** Writes by which share something changed: '+12.5%', '-3.0%', '0.0%'. */
export function formatShareChange(share: number): string {
  return share.toLocaleString('en-US', { ...percent, signDisplay: 'exceptZero' })
}
