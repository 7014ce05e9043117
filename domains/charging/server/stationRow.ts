import type { Id, Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { NotFound } from '../../../platform/server/refusal.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { AdminStatus, PileProtocol } from '../contract/pile.ts'
import { type StationOpening, StationRow, stationRow, stationRowSearch } from '../contract/stationRow.ts'
import { BY_CERTIFICATE } from './link.ts'
import { giveStations } from './strategy.ts'
import './tables.ts'

const shown = listOver(StationRow, 'charging.stationRow', stationRowSearch)

export const calls = serve(stationRow, {
  tableList: ({ tx, input }) => page(tx, shown, input),
  export: exporting(stationRow.export, shown),
  async detail({ tx, input }) {
    const [found] = await run<Of<typeof StationOpening>>(tx, { sql: OPENING }, [input.stationId])
    if (!found) throw NotFound()
    return found
  },
})

/** A station is to have this price table; it keeps what it has, where that is it. */
export async function priceStation(
  tx: Tx,
  { stationId, strategyId, at }: { stationId: string; strategyId: Id<'ChargingStrategyId'>; at: Instant },
): Promise<void> {
  const [now] = await run<{ strategyId: string | null }>(tx, { sql: PRICED }, [stationId])
  if (strategyId !== now?.strategyId) await giveStations(tx, strategyId, [stationId], at)
}
const PRICED = 'select strategy_id from charging.station_row where enterprise_id = scope_enterprise() and station_id = $1'

const FIELDS = shown.columns.map((name) => `r.${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`)
/** Scrapped piles are none any more; one that partners' platforms speak for needs no secret of ours. */
const OPENING = `select ${FIELDS.join(', ')}, p.*
  from charging.station_row r cross join lateral (
    select count(*)::int as piles, (count(*) filter (where e.admin_status = ${AdminStatus.enabled}))::int as enabled_piles,
      (count(*) filter (where l.has_secret or e.security_profile = ${BY_CERTIFICATE} or e.protocol = ${PileProtocol.platform}))::int as keyed_piles, (count(*) filter (where l.online))::int as online_piles
    from charging.equipment e join charging.pile_link l on l.enterprise_id = e.enterprise_id and l.equipment_id = e.equipment_id
    where e.enterprise_id = r.enterprise_id and e.station_id = r.station_id and e.admin_status <> ${AdminStatus.scrapped}) p
  where r.enterprise_id = scope_enterprise() and r.station_id = $1`
