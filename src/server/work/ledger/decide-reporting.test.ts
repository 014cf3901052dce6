import { afterEach, describe, expect, it } from 'vitest'
import { readWorld } from '#simulators/stripe/world/world.ts'
import { run as query } from '#test/database.ts'
import { generatedWorld, type ImportStage, stageImport } from '#test/import/stage-import.ts'
import { readCoverage } from '../../store/lists/match-list.ts'
import { inOrganization } from '../../store/postgres/database.ts'

/** An account whose dollars are euros, and the other way round. */
function inEuros() {
  const text = JSON.stringify(generatedWorld(12))
  return readWorld(
    JSON.parse(text.replaceAll('"usd"', '"?"').replaceAll('"eur"', '"usd"').replaceAll('"?"', '"eur"')),
  )
}

let stage: ImportStage
afterEach(() => stage.close())

const rows = <T extends object>(text: string) => query<T>(stage.db.ownerUrl, text)
const reporting = async () =>
  (
    await rows(
      'select reporting_currency as currency, is_reporting_decided as "isDecided" from organization_settings',
    )
  )[0]

/** Rows whose converted amount is not what it has to be without rates. */
const wrongRows = (currency: string) =>
  rows(`
    select 'event' as kind, id from events
     where reporting_change_cents is distinct from
           case when currency = '${currency}' or mrr_change_cents = 0 then mrr_change_cents end
    union all
    select 'subscription', id from subscriptions
     where reporting_mrr_cents is distinct from
           case when currency = '${currency}' or current_mrr_cents = 0 then current_mrr_cents end
    union all
    select 'customer', id from customers
     where reporting_mrr_cents <> coalesce((mrr_by_currency ->> '${currency}')::bigint, 0)
        or unconverted_by_currency <> mrr_by_currency - '${currency}'
    union all
    select 'snapshot', month || currency from snapshots
     where (reporting_cents, unconverted_cents, unconverted_subscriptions) is distinct from
           (case when currency = '${currency}' then (mrr_cents, 0::bigint, 0)
                 else (0::bigint, mrr_cents, active_subscriptions) end)`)

describe('the reporting currency', () => {
  it('is that of most MRR at the end of the first import, and every total is in it', async () => {
    stage = await stageImport({ world: inEuros() })
    await stage.importAll()
    expect(await reporting()).toEqual({ currency: 'eur', isDecided: true })
    expect(await wrongRows('eur')).toEqual([])
    const [sum] = await rows<{ cents: number }>(
      `select sum(current_mrr_cents)::int as cents from subscriptions where currency = 'eur'`,
    )
    const coverage = await inOrganization(stage.deps.database, stage.organizationId, readCoverage)
    expect(sum?.cents).toBeGreaterThan(0)
    expect(coverage.mrrCents).toBe(sum?.cents)
    expect(coverage.others.map(({ currency }) => currency)).not.toContain('eur')
  })

  it('takes the place of one that few subscriptions made likely, in every row', async () => {
    stage = await stageImport({ world: inEuros() })
    await rows(
      `insert into organization_settings (organization_id, reporting_currency) values (${stage.organizationId}, 'usd')`,
    )
    await stage.importAll()
    expect(await reporting()).toEqual({ currency: 'eur', isDecided: true })
    expect(await wrongRows('eur')).toEqual([])
  })

  it('is kept, whatever later imports bring', async () => {
    stage = await stageImport({ world: inEuros() })
    await rows(
      `insert into organization_settings (organization_id, reporting_currency, is_reporting_decided)
       values (${stage.organizationId}, 'usd', true)`,
    )
    await stage.importAll()
    expect(await reporting()).toEqual({ currency: 'usd', isDecided: true })
    expect(await wrongRows('usd')).toEqual([])
  })
})
