// Written from the European Central Bank's description of eurofxref-hist.csv: newest day first, working days only, five
// significant digits, a comma at the end of each line, and columns of currencies that no longer exist.

const daySeconds = 86_400

/** About what a euro bought in 2026; null for currencies whose columns stayed without values. */
const levels: readonly [code: string, rate: number | null][] = [
  ['USD', 1.09],
  ['JPY', 163],
  ['BGN', null],
  ['CZK', 24.9],
  ['DKK', 7.459],
  ['EEK', null],
  ['GBP', 0.856],
  ['HUF', 394],
  ['PLN', 4.28],
  ['RON', 5.03],
  ['SEK', 11.3],
  ['CHF', 0.941],
  ['ISK', 147],
  ['NOK', 11.6],
  ['HRK', null],
  ['RUB', null],
  ['TRY', 45.1],
  ['AUD', 1.66],
  ['BRL', 6.1],
  ['CAD', 1.51],
  ['CNY', 7.8],
  ['HKD', 8.5],
  ['IDR', 17_600],
  ['ILS', 3.9],
  ['INR', 92.3],
  ['KRW', 1_510],
  ['MXN', 20.2],
  ['MYR', 4.8],
  ['NZD', 1.83],
  ['PHP', 62.4],
  ['SGD', 1.43],
  ['THB', 36.8],
  ['ZAR', 19.6],
]

const years = 3

/** The file as it is at an instant (Unix seconds): that day's rates come at 15:00 UTC. Rates wander by the day alone. */
export function ecbHistory(now: number): string {
  const header = `Date,${levels.map(([code]) => code).join(',')},`
  const lines: string[] = []
  const newest = Math.floor((now - 15 * 3600) / daySeconds)
  for (let day = newest; day > newest - years * 365; day -= 1) {
    if (isClosed(new Date(day * daySeconds * 1000))) continue
    const cells = levels.map(([, rate], column) => (rate === null ? 'N/A' : cellOf(rate, day, column)))
    lines.push(`${new Date(day * daySeconds * 1000).toISOString().slice(0, 10)},${cells.join(',')},`)
  }
  return `${[header, ...lines].join('\n')}\n`
}

function cellOf(rate: number, day: number, column: number): string {
  const slow = Math.sin(day / 90 + column) * 0.04
  const quick = Math.sin(day * 1.7 + column * 5) * 0.004
  return String(Number((rate * (1 + slow + quick)).toPrecision(5)))
}

/** Weekends, and the closing days of the TARGET system. */
function isClosed(date: Date): boolean {
  const weekday = date.getUTCDay()
  if (weekday === 0 || weekday === 6) return true
  const monthDay = date.toISOString().slice(5, 10)
  if (['01-01', '05-01', '12-25', '12-26'].includes(monthDay)) return true
  const toEaster = Math.round((date.getTime() - easterOf(date.getUTCFullYear())) / (daySeconds * 1000))
  return toEaster === -2 || toEaster === 1
}

/** Easter Sunday by the rule of Meeus, Jones and Butcher. */
function easterOf(year: number): number {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100]
  const h = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const month = Math.floor((h + l - 7 * m + 114) / 31)
  return Date.UTC(year, month - 1, ((h + l - 7 * m + 114) % 31) + 1)
}
