/** Order matters: Edge and Opera call themselves Chrome too, and everything calls itself Safari. */
const browsers: [RegExp, string][] = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux|X11/, 'Linux'],
]

/** A few words for a person to know a device by: 'Firefox on Windows'. Never the caller's own text. */
export function deviceOf(userAgent: string): string {
  const find = (known: [RegExp, string][]) => known.find(([pattern]) => pattern.test(userAgent))?.[1]
  const browser = find(browsers)
  const system = find(systems)
  if (browser === undefined && system === undefined) return 'Unknown device'
  return system === undefined ? `${browser}` : `${browser ?? 'A browser'} on ${system}`
}
