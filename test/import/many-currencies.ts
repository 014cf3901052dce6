import { readWorld, type SimulatedWorld } from '#simulators/stripe/world/world.ts'

/** The world with every customer in a currency of its own: a third in dollars, the others in these by turns. */
export function inManyCurrencies(world: SimulatedWorld, codes: readonly string[]): SimulatedWorld {
  const text = JSON.stringify(world)
  const customers = [...new Set(text.match(/cus_\w+/g))]
  const codeOf = (object: string) => {
    const at = customers.indexOf(object.match(/cus_\w+/)?.[0] ?? '')
    return at % 3 === 0 ? 'usd' : (codes[at % codes.length] ?? 'usd')
  }
  const recoded = (objects: object[]) =>
    objects.map((one) =>
      JSON.parse(JSON.stringify(one).replaceAll('"usd"', `"${codeOf(JSON.stringify(one))}"`)),
    )
  const copy = JSON.parse(text)
  return readWorld({
    ...copy,
    subscriptions: recoded(copy.subscriptions),
    invoices: recoded(copy.invoices),
  })
}

/** The world with every amount in dollars. */
export function inDollarsAlone(world: SimulatedWorld): SimulatedWorld {
  return readWorld(JSON.parse(JSON.stringify(world).replaceAll(/"currency":"[a-z]{3}"/g, '"currency":"usd"')))
}
