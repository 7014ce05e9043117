import { hash } from 'node:crypto'
import { askStart } from '../../domains/charging/server/api.ts'
import { aPlate, type Factories, type Maker, now, some } from './maker.ts'
import { assetsIn } from './pile.ts'

const PREPAY_FEN = 5_000
const WECHAT = 1

export const FLAT = [{ from: '00:00', to: '24:00', kind: 3, elecPriceE4: 6000, servicePriceE4: 4000 }]

/** A gun that is on line and free, at a station with a price. */
export async function aFreeGun(maker: Maker): Promise<{ connectorId: string; equipmentId: string }> {
  const { row, asked, admin, parkCode } = maker
  const { aStation, aPile, gunOf } = assetsIn(maker)
  const station = await aStation()
  await asked(admin, 'charging.strategy.insert', { name: '价', periods: FLAT, stationIds: [station.stationId], publish: true })
  const pile = await aPile(station)
  await asked(admin, 'charging.pile.update-status', { id: pile.id, status: 1, reason: '试' })
  const gun = await asked(admin, 'charging.connector.save', gunOf(pile.equipmentId))
  await row(
    `insert into charging.connector_state (enterprise_id, connector_id, park_code, status, status_at) values (1, $1, $2, 1, now()) returning connector_id`,
    [gun.connectorId, parkCode],
  )
  await row(`insert into charging.pile_state (enterprise_id, equipment_id, park_code, online) values (1, $1, $2, true) returning equipment_id`, [
    gun.equipmentId,
    parkCode,
  ])
  return gun as { connectorId: string; equipmentId: string }
}

/** Prepares a driver at a gun whose code they scanned. It is on line. */
export function atTheGun(maker: Maker): Factories {
  const { write, row } = maker
  const aGun = () => aFreeGun(maker)
  const mine = async () => {
    const { connectorId } = await aGun()
    const key = `1.${some()}`
    const doorKey = hash('sha256', key)
    const { charge } = await write((tx) => askStart(tx, { connectorId, startMode: 1, pays: 'prepaid', prepayFen: PREPAY_FEN, doorKey, at: now() }))
    return { orderNo: charge.orderNo, key }
  }
  return {
    'charging.door.start': async () => {
      const { connectorId } = await aGun()
      const { short_code: short, version_no: edition } = await row('select short_code, version_no from parking.qrcode where target_code = $1', [
        connectorId,
      ])
      const { signature } = await row('select parking.qr_signature($1, $2) as signature', [short, edition])
      return { code: `${short}.${edition}.${signature}`, prepayFen: PREPAY_FEN, payMethod: WECHAT }
    },
    'charging.door.stop': mine,
    'charging.door.bind-plate': async () => ({ ...(await mine()), plateNo: aPlate() }),
  }
}
