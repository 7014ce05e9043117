import { run, type Tx } from '../../../platform/server/database.ts'
import { mayStart, mustBePriced, OPEN, placeOf } from './charge.ts'
import { goodCard, localCardsOf } from './card.ts'
import { holdPlugged, plugSaid, plugsUnheard as plugsLeft } from './hear.ts'
import { isShared, loadsForgotten, loadsMoved } from './load/loadShare.ts'
import {
  cardKnown,
  chargeAtGun,
  gunUsed,
  localCards,
  pileUsed,
  plugMoved,
  plugMoves,
  plugsUnheard,
  powerMoved,
  powerShared,
  startWished,
  stationCharging,
  stationPriced,
} from './questionsPile.ts'
import { priceStation } from './stationRow.ts'

/** What whoever keeps the piles is answered: of charges, cards, prices and shared power. */
export function answerPile(): void {
  plugMoves.answer('charging', async (tx, { connectorId, status, at }) => {
    await holdPlugged(tx, connectorId, status, at)
    return true
  })
  plugMoved.answer('charging', async (tx, { connectorId, ...said }) => {
    await plugSaid(tx, connectorId, said)
    return true
  })
  plugsUnheard.answer('charging', async (tx, { piles, at }) => {
    await plugsLeft(tx, piles, at)
    return true
  })
  powerMoved.answer('charging', async (tx, { equipmentIds, restarted }) => {
    await (restarted ? loadsForgotten(tx, equipmentIds) : loadsMoved(tx, equipmentIds))
    return true
  })
  startWished.answer('charging', async (tx, { connectorId, cardNo, at }) => {
    const place = await placeOf(tx, connectorId)
    await mayStart(tx, place, cardNo, at)
    await mustBePriced(tx, place, at)
    return true
  })
  chargeAtGun.answer('charging', async (tx, { connectorId }) => (await run<AtGun>(tx, { sql: AT_GUN }, [connectorId]))[0])
  cardKnown.answer('charging', (tx, { typed }) => goodCard(tx, typed))
  localCards.answer('charging', (tx, { atMost }) => localCardsOf(tx, atMost))
  powerShared.answer('charging', async (tx, { connectorId }) => ((await isShared(tx, connectorId)) ? true : undefined))
  pileUsed.answer('charging', (tx, { equipmentId }) => isThere(tx, PILE_USED, equipmentId))
  gunUsed.answer('charging', (tx, { connectorId }) => isThere(tx, GUN_USED, connectorId))
  stationCharging.answer('charging', (tx, { stationId }) => isThere(tx, CHARGING, stationId))
  stationPriced.answer('charging', async (tx, { stationId, strategyId, at }) => {
    await priceStation(tx, { stationId, strategyId, at })
    return true
  })
}

interface AtGun {
  orderNo: string
  transactionId: string | null
}
const AT_GUN = `select order_no, transaction_id from charging.charge where enterprise_id = scope_enterprise() and connector_id = $1 and claimed and status in (${OPEN})`
const isThere = async (tx: Tx, sql: string, id: string): Promise<true | undefined> => ((await run(tx, { sql }, [id])).length > 0 ? true : undefined)
const PILE_USED = 'select 1 from charging.charge where enterprise_id = scope_enterprise() and equipment_id = $1 limit 1'
const GUN_USED = ['charge', 'fault', 'danger', 'start_refused']
  .map((table) => `(select 1 from charging.${table} where enterprise_id = scope_enterprise() and connector_id = $1 limit 1)`)
  .join(' union all ')
const CHARGING = `select 1 from charging.charge where enterprise_id = scope_enterprise() and station_id = $1 and status in (${OPEN}) limit 1`
