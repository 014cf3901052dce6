import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runReplay, seatsDocument, stripePrice } from '#test/mrr/replay-examples.ts'

const asOf = '2025-02-10T00:00:00Z'
const item = 'subscriptions[0].items.data[0]'
const line = 'invoices[0].lines.data[0]'

/** The valid document with one field set, or removed if no value is given. */
function damaged(path: string, value?: unknown): object {
  const document: object = JSON.parse(JSON.stringify(seatsDocument('sub_1')))
  const names = path.split(/[.[\]]+/).filter(Boolean)
  const last = names.pop() ?? ''
  const owner = names.reduce<object>((at, name) => Reflect.get(at, name), document)
  if (value === undefined) Reflect.deleteProperty(owner, last)
  else Reflect.set(owner, last, value)
  return document
}

function refused(content: unknown, message: string): void {
  const { code, error, lines } = runReplay(['a'], { a: content })
  expect({ code, error, lines }).toEqual({ code: 2, error: `a: ${message}\n`, lines: [] })
}

test.each([
  ['no JSON', '{', 'the document is no JSON'],
  ['an empty file', '', 'the document is no JSON'],
  ['a list', [], 'the document is no JSON object'],
  ['null', 'null', 'the document is no JSON object'],
  [
    'bytes that are no UTF-8',
    new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]),
    'the document is no UTF-8 text',
  ],
  ['no as_of', { subscriptions: [], invoices: [] }, 'as_of is missing'],
  ['no subscriptions', { as_of: asOf, invoices: [] }, 'subscriptions is missing'],
  ['no invoices', { as_of: asOf, subscriptions: [] }, 'invoices is missing'],
  ['null for a list', { as_of: asOf, subscriptions: [], invoices: null }, 'invoices is null, not a list'],
  ['a number for a list', { as_of: asOf, subscriptions: 5, invoices: [] }, 'subscriptions is 5, not a list'],
  [
    'an entry that is none',
    { as_of: asOf, subscriptions: [7], invoices: [] },
    'subscriptions[0] is 7, not an object',
  ],
  [
    'an entry without id',
    { as_of: asOf, subscriptions: [], invoices: [], prices: [{}] },
    'prices[0].id is missing',
  ],
])('a file that is none ends with 2 and one line: %s', (_, content, message) => refused(content, message))

test.each([
  'yesterday',
  '2025-02-30',
  '2025-02-30T00:00:00Z',
  '2025-02-29T00:00:00Z',
  '2025-13-01T00:00:00Z',
  '2025-01-01T24:00:00Z',
  '2025-01-01T12:60:00Z',
  '2025-01-01T00:00:00',
  '1969-12-31T00:00:00Z',
  1_739_145_600,
  null,
])('an as_of that is no real instant: %s', (value) =>
  refused({ as_of: value, subscriptions: [], invoices: [] }, 'as_of is no ISO instant'),
)

test.each([
  [`${item}.quantity`, 1.5, 'is 1.5, not a whole number'],
  [`${item}.quantity`, '10', 'is "10", not a whole number'],
  [`${item}.price`, 7, 'is 7, not the text of an id'],
  [`${item}.price.id`, undefined, 'is missing'],
  [`${item}.price.unit_amount`, '1000', 'is "1000", not a whole number of minor units'],
  [`${item}.price.unit_amount_decimal`, 'ten', 'is "ten", not a decimal number'],
  [`${item}.price.recurring`, 'month', 'is "month", not an object'],
  [`${item}.current_period_start`, '2025-01-01', 'is "2025-01-01", not an instant in whole Unix seconds'],
  ['subscriptions[0].id', undefined, 'is missing'],
  ['subscriptions[0].status', 3, 'is 3, not a text'],
  ['subscriptions[0].ended_at', '2025', 'is "2025", not an instant in whole Unix seconds'],
  ['subscriptions[0].cancel_at_period_end', 'no', 'is "no", not true or false'],
  ['subscriptions[0].items', 7, 'is 7, not a list'],
  ['subscriptions[0].items.has_more', true, 'is true: the list has to be embedded whole'],
  ['subscriptions[0].discounts', 'di_1', 'is "di_1", not a list'],
  ['subscriptions[0].customer', 12, 'is 12, not the text of an id'],
  ['invoices[0].lines', 'none', 'is "none", not a list'],
  ['invoices[0].lines.data', {}, 'is an object, not a list'],
  ['invoices[0].lines.has_more', true, 'is true: the list has to be embedded whole'],
  [`${line}.amount`, '12', 'is "12", not a whole number of minor units'],
  [`${line}.amount`, 12.5, 'is 12.5, not a whole number of minor units'],
  [`${line}.period`, [], 'is a list, not an object'],
  [`${line}.discount_amounts`, [{ amount: '4' }], 'is "4", not a whole number of minor units', '[0].amount'],
  ['coupons', [{ id: 'c', percent_off: '20' }], 'is "20", not a percentage', '[0].percent_off'],
])('a value of another kind than Stripe sends is named: %s = %j', (path, value, problem, deeper = '') =>
  refused(damaged(path, value), `${path}${deeper} ${problem}`),
)

const milliseconds = 1_735_689_600_000

test.each([
  [`${item}.quantity`, -3, 'Item si_sub_1: the quantity -3 is below 0'],
  [`${item}.quantity`, 1e300, 'Item si_sub_1: The field quantity is unreadable'],
  [`${item}.price`, null, 'An item si_sub_1 has no readable price'],
  [`${item}.price`, undefined, 'An item si_sub_1 has no readable price'],
  [
    `${item}.current_period_start`,
    milliseconds,
    'Item si_sub_1: The field current_period_start is unreadable',
  ],
  ['subscriptions[0].items', undefined, 'The field items is missing'],
  ['subscriptions[0].items', null, 'The field items is missing'],
  ['invoices[0].lines', undefined, 'Invoice in_2: its lines are missing'],
  ['invoices[1].lines', null, 'Invoice in_1: its lines are missing'],
  ['subscriptions[0].status', null, 'The field status is missing'],
  ['subscriptions[0].created', milliseconds, 'The field created is unreadable'],
  ['subscriptions[0].ended_at', -1, 'The field ended_at is unreadable'],
  [`${item}.price`, stripePrice('minus', -500), 'Item si_sub_1: the price minus asks -500, which is below 0'],
  [`${line}.amount`, null, 'the amount is missing or no whole number'],
  [`${line}.amount`, undefined, 'the amount is missing or no whole number'],
  [`${line}.quantity`, -2, 'the quantity -2 is below 0'],
  [`${line}.quantity`, 1e300, 'the quantity is unreadable'],
  [`${line}.period`, null, 'the service period is missing or unreadable'],
  [`${line}.period.start`, milliseconds, 'the service period is missing or unreadable'],
  [`${line}.discount_amounts`, [{ discount: 'di_1' }], 'the amount of a discount or tax is missing'],
  [`${line}.taxes`, [{ amount: null }], 'the amount of a discount or tax is missing'],
  ['subscriptions[0].discounts', [{ id: 'di_1', coupon: { id: 'c', percent_off: 120 } }], 'takes 120% off'],
])(
  'an absurd or missing figure keeps only its own subscription from being counted: %s = %j',
  (path, value, reason) => {
    const sound = seatsDocument('sub_2')
    const { subscriptions, invoices, ...rest } = damaged(path, value) as typeof sound
    const others = sound.invoices.map((invoice) => ({ ...invoice, id: `other_${invoice['id']}` }))
    const both = {
      ...rest,
      subscriptions: [...subscriptions, ...sound.subscriptions],
      invoices: [...invoices, ...others],
    }
    const { code, lines } = runReplay(['a'], { a: both })
    expect({ code, lines }).toMatchObject({
      code: 0,
      lines: [
        {
          subscriptions: [
            { subscriptionId: 'sub_1', currentMrr: 0, unsupported: expect.stringContaining(reason) },
            { subscriptionId: 'sub_2', currentMrr: 11_000 },
          ],
          currentMrr: { usd: 11_000 },
        },
      ],
    })
    expect(lines[0].events.map(({ subscriptionId }: { subscriptionId: string }) => subscriptionId)).toEqual([
      'sub_2',
      'sub_2',
    ])
  },
)

test('an invoice that names no subscription and has no lines may be about any of its customer', () => {
  const [mine, other] = [seatsDocument('sub_1'), seatsDocument('sub_2')]
  const bare = { ...mine.invoices[0], id: 'in_9', parent: null, lines: null }
  const asked = (status: string) => ({
    ...mine,
    subscriptions: [
      ...mine.subscriptions,
      ...other.subscriptions.map((entry) => ({ ...entry, customer: 'cus_2' })),
    ],
    invoices: [
      ...mine.invoices,
      ...other.invoices.map((entry) => ({ ...entry, id: `other_${entry['id']}`, customer: 'cus_2' })),
      { ...bare, status },
    ],
  })
  const { code, lines } = runReplay(['a'], { a: asked('paid') })
  expect({ code, lines }).toMatchObject({
    code: 0,
    lines: [
      {
        subscriptions: [
          { unsupported: expect.stringContaining('Invoice in_9: its lines are missing') },
          { subscriptionId: 'sub_2', currentMrr: 11_000 },
        ],
        currentMrr: { usd: 11_000 },
      },
    ],
  })
  expect(runReplay(['a'], { a: asked('draft') }).lines).toMatchObject([{ currentMrr: { usd: 22_000 } }])
})

test('a file that cannot be read, an unknown option and no file at all end with 2', () => {
  expect(runReplay(['nowhere'], {})).toEqual({
    code: 2,
    error: 'nowhere: the file cannot be read\n',
    lines: [],
  })
  expect(runReplay(['--verbose', 'a'], {})).toMatchObject({ code: 2 })
  expect(runReplay([], {}).error).toContain('Usage')
})

test('what Stripe may add, or leave out, is no fault of the file', () => {
  const { as_of, subscriptions, invoices } = seatsDocument('sub_1')
  const whole = runReplay(['a'], { a: seatsDocument('sub_1') }).lines
  expect(runReplay(['a'], { a: { as_of, subscriptions, invoices } }).lines).toEqual(whole)
  const absent = { customers: null, products: null, prices: null, coupons: null, invoice_payments: null }
  expect(runReplay(['a'], { a: { as_of, subscriptions, invoices, ...absent } }).lines).toEqual(whole)
  const wrapped = { object: 'list', has_more: false, data: subscriptions }
  expect(runReplay(['a'], { a: { as_of, subscriptions: wrapped, invoices } }).lines).toEqual(whole)

  const extra = damaged('subscriptions[0].temperature', { hot: [true] })
  expect(runReplay(['a'], { a: extra }).lines).toEqual(whole)
  const frozen = runReplay(['a'], { a: damaged('subscriptions[0].status', 'frozen') })
  expect(frozen).toMatchObject({
    code: 0,
    lines: [{ subscriptions: [{ unsupported: expect.stringContaining('frozen') }] }],
  })
  const decades = runReplay(['a'], { a: damaged(`${item}.price.recurring.interval`, 'decade') })
  expect(decades.code).toBe(0)
  const noCurrency = damaged('invoices[1].currency')
  expect(runReplay(['a'], { a: noCurrency }).lines).toEqual(whole)
  expect(runReplay(['a'], { a: damaged('subscriptions[0].created') }).lines).toEqual(whole)
  for (const name of ['created', 'status', 'customer', 'currency', 'start_date', 'discounts']) {
    expect(runReplay(['a'], { a: damaged(`subscriptions[0].${name}`) }).code).toBe(0)
  }
})

test('a byte order mark and any time zone are read', () => {
  const text = JSON.stringify({ ...seatsDocument('sub_1'), as_of: '2025-02-10T05:30:00+05:30' })
  const [plain] = runReplay(['a'], { a: seatsDocument('sub_1') }).lines
  expect(runReplay(['a'], { a: `\u{feff}${text}` }).lines).toEqual([plain])
})

test('the command itself writes a line for each file in order, and ends with 2 at the first that is bad', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-replay-'))
  const fileOf = (name: string, content: object) => {
    const path = join(folder, name)
    writeFileSync(path, JSON.stringify(content))
    return path
  }
  const files = [
    fileOf('b.json', seatsDocument('sub_b')),
    fileOf('a.json', seatsDocument('sub_a')),
    fileOf('bad.json', damaged(`${item}.quantity`, '1')),
  ]
  const command = join(import.meta.dirname, 'tributary.ts')
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, 'replay', ...files], {
    encoding: 'utf8',
  })
  rmSync(folder, { recursive: true })
  const ids = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).subscriptions[0].subscriptionId)
  expect({ status, ids }).toEqual({ status: 2, ids: ['sub_b', 'sub_a'] })
  expect(stderr).toBe(`${files[2]}: ${item}.quantity is "1", not a whole number\n`)
})
