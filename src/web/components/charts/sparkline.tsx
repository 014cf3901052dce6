type SparklineProps = { values: readonly number[]; label: string }

const width = 100
const height = 24

/** Draws the course of a figure without axes. It is plain SVG, because a chart library takes longer to load than the screen. */
export function Sparkline({ values, label }: SparklineProps) {
  const low = Math.min(...values)
  const spread = Math.max(...values) - low
  const points = values.map((value, at) => {
    const x = values.length === 1 ? width : (at / (values.length - 1)) * width
    const y = spread === 0 ? height / 2 : height - ((value - low) / spread) * height
    return `${x.toFixed(1)},${y.toFixed(1)}`
  })
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 -2 ${width} ${height + 4}`}
      preserveAspectRatio="none"
      width="100%"
      height="100%"
      style={{ display: 'block' }}
    >
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke="var(--drawn)"
        strokeWidth={2}
        strokeLinejoin="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}
