import { readFileSync } from 'node:fs'
import { readReplayDocument } from '#cli/replay-document.ts'
import { defaultPolicy } from '#domain/mrr/exact/policy.ts'
import { rebuildCustomer } from '#domain/mrr/rebuild-customer.ts'
import { isoOfInstant } from '#domain/instant.ts'
const groups = JSON.parse(readFileSync(process.argv[2], 'utf8'))
for (const [name, worlds] of Object.entries(groups)) {
  let observations: any[] = []
  let events: any[] = []; let all: any[] = []
  for (const world of worlds as string[]) {
    const { asOf, subscriptions, invoices, prices, products, customerDiscounts } = readReplayDocument(world)
    const made = rebuildCustomer({ customerId: 'c', subscriptions, invoices, prices, products, policy: defaultPolicy, customerDiscounts: [...customerDiscounts.values()].flat(), asOf, observations })
    const fresh = new Map(made.newObservations.map((o: any) => [o.id, o]))
    observations = [...observations.filter(({ id }) => !fresh.has(id)), ...fresh.values()]
    observations = JSON.parse(JSON.stringify(observations))
    events = made.events.map((e: any) => [isoOfInstant(e.occurredAt), e.mrrStatus, e.changeType, e.previousMrrCents, e.currentMrrCents, e.id])
    all.push({ asOf: isoOfInstant(asOf), events, unsupported: made.subscriptions.map((s: any) => s.isUnsupported).filter(Boolean) })
  }
  console.log(JSON.stringify({ name, looks: all }))
}
