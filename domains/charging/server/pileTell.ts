import type { Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { BadInput, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { serve } from '../../../platform/server/serve.ts'
import { CardKind, CardStatus } from '../contract/card.ts'
import { ConnectorType } from '../contract/connector.ts'
import { PileCommand, pileCommand, pileCommandSearch, PileMethod, PileSetting, pileSettingSearch } from '../contract/pileCommand.ts'
import { ChargeStatus } from '../contract/session.ts'
import { mayStart, mustBePriced, placeOf } from './charge.ts'
import { command } from './pileCommand.ts'
import './linkTables.ts'

const commands = listOver(PileCommand, 'charging.pileCommand', pileCommandSearch)
const settings = listOver(PileSetting, 'charging.pileSetting', pileSettingSearch)

const Offline = refusal(
  'charging.pile-offline',
  41361,
  '桩离线，无法下发；请待恢复在线后再试',
  'The pile is offline: the command cannot be sent: try again once it is online',
)
const Busy = refusal(
  'charging.gun-busy',
  41362,
  '该充电枪已有充电订单，请换一个充电枪',
  'This connector already has a session: choose another connector',
)
const Idle = refusal(
  'charging.gun-idle',
  41363,
  '该充电枪没有进行中的充电，请刷新后查看',
  'No session is in progress at this connector: refresh to see its state',
)
const Reserved = refusal(
  'charging.gun-reserved',
  41364,
  '该充电枪已被预约，请换一个充电枪',
  'This connector is already reserved: choose another connector',
)
const NotReserved = refusal(
  'charging.gun-not-reserved',
  41365,
  '该充电枪没有预约，请刷新后查看',
  'This connector is not reserved: refresh to see its state',
)
const BadLimit = refusal('charging.bad-limit', 41366, '功率上限应在 {min} W 到 {max} W 之间', 'The limit must be between {min} W and {max} W', 422)
const OwnSecret = refusal('charging.secret-setting', 41367, '修改密钥请使用「更换密钥」', 'Use “Renew the secret” to change a secret', 422)
const BadCard = refusal(
  'charging.bad-card',
  41368,
  '充电卡不存在或不可用，请核对卡号或换卡',
  'The card does not exist or cannot be used: check its number, or use another card',
  422,
)

const Managed = refusal(
  'charging.gun-managed',
  41313,
  '该站由负荷管理分配功率，请在「充电负荷」中调整',
  'This station’s power is shared by load management: change it under “Charging load”',
)

/** An IDLE car needs this much: less and it does not charge, and some never begin again. */
const LEAST_AC_W = 1_380
const LEAST_DC_W = 5_000
const SECRETS = /AuthorizationKey|BasicAuthPassword/i
/** A reservation holds a gun for hours, not for days. */
const RESERVED_MAX_MS = 24 * 3_600_000

export const calls = serve(pileCommand, {
  commands: ({ tx, input }) => page(tx, commands, input),
  settings: ({ tx, input }) => page(tx, settings, input),
  async remoteStart({ tx, input: { connectorId, cardNo: typed, reason }, actor, at: now }) {
    const gun = await gunOnline(tx, connectorId)
    if (gun.orderNo !== null) throw Busy()
    const cardNo = await goodCard(tx, typed)
    const place = await placeOf(tx, connectorId)
    await mayStart(tx, place, cardNo, now)
    await mustBePriced(tx, place, now)
    return command(tx, {
      ...at(gun),
      method: PileMethod.start,
      params: { token: cardNo, startNo: await nextNumber(tx) },
      reason,
      byName: actor.userName,
    })
  },
  async remoteStop({ tx, input: { connectorId, reason }, actor }) {
    const gun = await gunOnline(tx, connectorId)
    if (gun.transactionId === null) throw Idle()
    return command(tx, {
      ...at(gun),
      orderNo: gun.orderNo,
      method: PileMethod.stop,
      params: { transaction: gun.transactionId },
      reason,
      byName: actor.userName,
    })
  },
  reset: ({ tx, input: { equipmentId, kind, reason }, actor }) =>
    told(tx, equipmentId, { method: PileMethod.reset, params: { kind }, reason, byName: actor.userName }),
  async unlock({ tx, input: { connectorId, reason }, actor }) {
    return command(tx, { ...at(await gunOnline(tx, connectorId)), method: PileMethod.unlock, reason, byName: actor.userName })
  },
  async availability({ tx, input: { equipmentId, connectorId = null, operative, reason }, actor }) {
    if (connectorId !== null && (await gunOf(tx, connectorId)).equipmentId !== equipmentId) throw NotFound()
    // Kept for a pile that is away: it is told when it comes back.
    await pileOf(tx, equipmentId)
    return command(tx, { equipmentId, connectorId, method: PileMethod.availability, params: { operative }, reason, byName: actor.userName })
  },
  async getConfiguration({ tx, input: { equipmentId, keys = [], reason }, actor }) {
    return told(tx, equipmentId, {
      method: PileMethod.getConfiguration,
      params: { keys, request: await nextNumber(tx) },
      reason,
      byName: actor.userName,
    })
  },
  async setConfiguration({ tx, input: { equipmentId, key, value, reason }, actor }) {
    if (SECRETS.test(key)) throw OwnSecret()
    return told(tx, equipmentId, { method: PileMethod.setConfiguration, params: { key, value }, reason, byName: actor.userName })
  },
  async trigger({ tx, input: { equipmentId, connectorId = null, message, reason }, actor }) {
    if (connectorId !== null && (await gunOf(tx, connectorId)).equipmentId !== equipmentId) throw NotFound()
    return told(tx, equipmentId, { connectorId, method: PileMethod.trigger, params: { message }, reason, byName: actor.userName })
  },
  async updateFirmware({ tx, input: { equipmentId, url, version = null, retrieveAt, reason }, actor, at }) {
    const params = { url, ...(version !== null && { version }), retrieveAt: retrieveAt ?? at, request: await nextNumber(tx) }
    return told(tx, equipmentId, { method: PileMethod.updateFirmware, params, reason, byName: actor.userName })
  },
  async getLog({ tx, input: { equipmentId, url, kind, reason }, actor }) {
    return told(tx, equipmentId, { method: PileMethod.getLog, params: { url, kind, request: await nextNumber(tx) }, reason, byName: actor.userName })
  },
  async sendLocalList({ tx, input: { equipmentId, reason }, actor }) {
    await pileOnline(tx, equipmentId)
    const cards = await run<{ cardNo: string }>(tx, { sql: LOCAL_CARDS }, [])
    const [row] = await run<{ version: number }>(tx, { sql: NEXT_LIST }, [equipmentId])
    const params = { version: row!.version, cards: cards.map(({ cardNo }) => cardNo) }
    return command(tx, { equipmentId, method: PileMethod.sendLocalList, params, reason, byName: actor.userName })
  },
  async reserve({ tx, input: { connectorId, cardNo: typed, until, reason }, actor, at: now }) {
    if (until <= now || Date.parse(until) > Date.parse(now) + RESERVED_MAX_MS)
      throw BadInput({ zh: '保留时间应在 24 小时之内', en: 'a connector can be reserved for up to 24 hours' })
    const gun = await gunOnline(tx, connectorId)
    if (gun.orderNo !== null) throw Busy()
    const cardNo = await goodCard(tx, typed)
    await run(tx, { sql: OVERDUE }, [connectorId, now])
    const [made] = await run<{ reservationNo: number }>(tx, { sql: RESERVE }, [connectorId, gun.equipmentId, gun.parkCode, cardNo, until])
    if (!made) throw Reserved()
    const params = { reservation: made.reservationNo, cardNo, until }
    return command(tx, { ...at(gun), method: PileMethod.reserve, params, reason, byName: actor.userName })
  },
  async cancelReservation({ tx, input: { connectorId, reason }, actor }) {
    const gun = await gunOnline(tx, connectorId)
    const [open] = await run<{ reservationNo: number }>(tx, { sql: OPEN_RESERVATION }, [connectorId])
    if (!open) throw NotReserved()
    return command(tx, {
      ...at(gun),
      method: PileMethod.cancelReservation,
      params: { reservation: open.reservationNo },
      reason,
      byName: actor.userName,
    })
  },
  async setProfile({ tx, input: { connectorId, limitW, reason }, actor }) {
    const gun = await gunOnline(tx, connectorId)
    await notManaged(tx, connectorId)
    const [min, max] = [gun.connectorType === ConnectorType.dcPlug ? LEAST_DC_W : LEAST_AC_W, Math.round(gun.power * 1000)]
    if (limitW < min || limitW > max) throw BadLimit({ min, max })
    return command(tx, { ...at(gun), method: PileMethod.setProfile, params: { limitW }, reason, byName: actor.userName })
  },
  async clearProfile({ tx, input: { connectorId, reason }, actor }) {
    const gun = await gunOnline(tx, connectorId)
    await notManaged(tx, connectorId)
    return command(tx, { ...at(gun), method: PileMethod.clearProfile, reason, byName: actor.userName })
  },
})

type Wish = Omit<Parameters<typeof command>[1], 'equipmentId'>
/** What only a pile that is there can do. */
async function told(tx: Tx, equipmentId: string, wish: Wish): Promise<Of<typeof PileCommand>> {
  await pileOnline(tx, equipmentId)
  return command(tx, { equipmentId, ...wish })
}
async function pileOf(tx: Tx, equipmentId: string): Promise<{ online: boolean }> {
  const [found] = await run<{ online: boolean }>(
    tx,
    { sql: 'select online from charging.pile_link where enterprise_id = scope_enterprise() and equipment_id = $1 and charge_point_id is not null' },
    [equipmentId],
  )
  if (!found) throw NotFound()
  return found
}
async function pileOnline(tx: Tx, equipmentId: string): Promise<void> {
  if (!(await pileOf(tx, equipmentId)).online) throw Offline()
}

interface Gun {
  connectorId: string
  equipmentId: string
  parkCode: string
  connectorType: number
  power: number
  online: boolean
  orderNo: string | null
  transactionId: string | null
}
const GUN = `select c.connector_id, c.equipment_id, c.park_code, c.connector_type, c.power, coalesce(s.online, false) as online, o.order_no, o.transaction_id
  from charging.connector c left join charging.pile_state s on s.enterprise_id = c.enterprise_id and s.equipment_id = c.equipment_id
    left join charging.charge o on o.enterprise_id = c.enterprise_id and o.connector_id = c.connector_id and o.claimed and o.status in (${ChargeStatus.waiting}, ${ChargeStatus.starting}, ${ChargeStatus.charging}, ${ChargeStatus.stopping})
  where c.enterprise_id = scope_enterprise() and c.connector_id = $1`
async function gunOf(tx: Tx, connectorId: string): Promise<Gun> {
  const [gun] = await run<Gun>(tx, { sql: GUN }, [connectorId])
  if (!gun) throw NotFound()
  return gun
}
async function gunOnline(tx: Tx, connectorId: string): Promise<Gun> {
  const gun = await gunOf(tx, connectorId)
  if (!gun.online) throw Offline()
  return gun
}
const at = ({ equipmentId, connectorId }: Gun) => ({ equipmentId, connectorId })

/** A limit given by hand would be more than its share, or less than what is counted. */
async function notManaged(tx: Tx, connectorId: string): Promise<void> {
  if (
    (await run(tx, { sql: 'select 1 from charging.share_now where enterprise_id = scope_enterprise() and connector_id = $1' }, [connectorId]))
      .length > 0
  )
    throw Managed()
}
/** The number of a card as it is kept, however it was typed. @throws BadCard */
async function goodCard(tx: Tx, typed: string): Promise<string> {
  const [found] = await run<{ cardNo: string }>(tx, { sql: GOOD }, [typed])
  if (!found) throw BadCard()
  return found.cardNo
}
const GOOD = `select card_no from charging.card where enterprise_id = scope_enterprise() and card_key = charging.card_key($1) and status = ${CardStatus.good}`
/** A number for what a pile answers later by that number. */
const nextNumber = async (tx: Tx): Promise<number> =>
  (await run<{ no: number }>(tx, { sql: `select nextval('charging.request_no')::integer as no` }, []))[0]!.no

/** As many as the smallest of the piles keeps. */
const LOCAL_MAX = 500
const LOCAL_CARDS = `select card_no from charging.card where enterprise_id = scope_enterprise() and status = ${CardStatus.good} and kind in (${CardKind.personal}, ${CardKind.company}) order by updated_at desc limit ${LOCAL_MAX}`
const NEXT_LIST = `insert into charging.link as l (equipment_id, park_code, list_version) select equipment_id, park_code, 1 from charging.equipment where enterprise_id = scope_enterprise() and equipment_id = $1
  on conflict (enterprise_id, equipment_id) do update set list_version = l.list_version + 1 returning list_version as version`
const OVERDUE =
  'update charging.reservation set ended_at = until where enterprise_id = scope_enterprise() and connector_id = $1 and ended_at is null and until <= $2'
const RESERVE = `insert into charging.reservation (reservation_no, connector_id, equipment_id, park_code, card_no, until) values (nextval('charging.request_no'), $1, $2, $3, $4, $5)
  on conflict do nothing returning reservation_no`
const OPEN_RESERVATION =
  'select reservation_no from charging.reservation where enterprise_id = scope_enterprise() and connector_id = $1 and ended_at is null'

/** A gun that is kept for a card starts for nobody else. */
export async function keptForAnother(
  tx: Tx,
  { connectorId, idTag, at: now }: { connectorId: string; idTag: string | null; at: Instant },
): Promise<{ zh: string; en: string } | undefined> {
  const [open] = await run<{ cardNo: string }>(tx, { sql: KEPT }, [connectorId, now])
  return open && open.cardNo !== idTag ? { zh: '该充电枪已被预约', en: 'This connector is reserved' } : undefined
}
const KEPT =
  'select card_no from charging.reservation where enterprise_id = scope_enterprise() and connector_id = $1 and ended_at is null and until > $2'
