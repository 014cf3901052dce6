import encodeQR from 'qr'

/** Draws the text as a QR code, dark on light in both schemes, because scanners expect that. Nothing leaves the browser. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const rows = encodeQR(text, 'raw', { border: 4 })
  const dots = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shapeRendering="crispEdges"
      style={{ width: 200, maxWidth: '100%', alignSelf: 'center', background: '#ffffff' }}
    >
      <path d={dots.join('')} fill="#000000" />
    </svg>
  )
}
