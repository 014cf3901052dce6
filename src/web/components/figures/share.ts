/** Writes a share for a person: 0.9876 is '98.8%', null is '–'. */
export function formatShare(share: number | null): string {
  if (share === null) return '–'
  return share.toLocaleString('en-US', {
    style: 'percent',
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
  })
}
