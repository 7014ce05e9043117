import { openSession, register } from '../../domains/owner/server/api.ts'
import type { Yard } from '../../domains/charging/server/testing.ts'
import { aPeer, type Peer } from '../../gateways/tcec102/testing.ts'
import { run } from '../../platform/server/database.ts'
import { AS, type Factories, type Maker, now, of, some } from './maker.ts'

/** As much as a start sets aside and more. */
const PAY_FEN = 20_000
const CASH = 4
let phones = 0

/** A partner with stations that answers, a gun of it, and charges of our drivers there. */
export function roaming({ world, row, write, asked, deputy }: Maker): Factories {
  const sql: Yard['sql'] = (text, values = []) => write((tx) => run(tx, { sql: text }, [...values]))
  let made: Promise<Peer> | undefined
  const peer = () => (made ??= aPeer({ sql, server: { url: world.url } } as Yard, { role: 2 }).then(answering))
  const answering = (one: Peer): Peer => {
    one.answers['query_equip_business_policy'] = { SuccStat: 0, PolicyInfos: [{ StartTime: '000000', ElecPrice: 0.6, SevicePrice: 0.4 }] }
    return one
  }
  const gun = async () => {
    const [{ platformId }, stationId] = [await peer(), `R${some()}`]
    await row(
      `insert into charging.partner_station (enterprise_id, platform_id, station_id, station_name, operator_id, address, station_type, station_status, station_lng, station_lat, heard_at)
        values (1, $1, $2, $2, 'MA9999999', '', 1, 50, 112.1, 32, now())`,
      [platformId, stationId],
    )
    await row(
      `insert into charging.partner_connector (enterprise_id, platform_id, station_id, equipment_id, connector_id, connector_type, power, heard_at) values (1, $1, $2, 'E', $3, 4, 60, now())`,
      [platformId, stationId, `${stationId}-1`],
    )
    return { platformId, stationId, connectorId: `${stationId}-1` }
  }
  const driver = async () => {
    const phone = `135${String(++phones).padStart(8, '0')}`
    const { id: ownerId } = await write((tx) => register(tx, { phone, nickname: '试', at: now() }))
    const token = await write((tx) => openSession(tx, ownerId, '127.0.0.1', now()))
    return { ownerId, me: { [AS]: `Bearer ${token}` } }
  }
  const charge = async (status: number, ownerId?: string, agreed = false) => {
    const { platformId, stationId, connectorId } = await gun()
    return row(
      `insert into charging.roaming (enterprise_id, order_no, start_charge_seq, platform_id, station_id, station_name, connector_id, power_kw, owner_id, payer, status, prices, hold_fen, held${agreed ? ', agreed_fen, agreed_id, agreed_name' : ''})
        values (1, $1, $1, $2, $3, $3, $4, 60, $5, '试', ${status}, '[]', 500, false${agreed ? `, 0, 'x', 'x'` : ''}) returning id, version`,
      [`KP${some()}`, platformId, stationId, connectorId, ownerId ?? (await driver()).ownerId],
    )
  }
  return {
    'charging.partner-station.fetch': async () => ({ platformId: (await peer()).platformId }),
    'charging.roaming.stop': async () => ({ id: (await charge(2)).id, reason: some() }),
    'charging.roaming.settle': async () => ({ ...of(await charge(7)), amountFen: 0, reason: some() }),
    'charging.roaming.settle-decide': async () => ({ ...of(await charge(7, undefined, true)), pass: true }),
    'charging.mine.start': async () => {
      const [{ platformId, connectorId }, { ownerId, me }] = [await gun(), await driver()]
      await asked(deputy, 'owner.account.recharge', { ownerId, payFen: PAY_FEN, payMethod: CASH })
      return { ...me, platformId, connectorId }
    },
    'charging.mine.stop': async () => {
      const { ownerId, me } = await driver()
      return { ...me, id: (await charge(2, ownerId)).id }
    },
  }
}
