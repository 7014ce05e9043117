import { partnerStation } from '../domains/charging/contract/partnerStation.ts'
import { platform, MessageState } from '../domains/charging/contract/platform.ts'
import { statement, statementCan } from '../domains/charging/contract/statement.ts'
import { chargeOfPartner, makeStatements, post, progressOf, startRoaming } from '../domains/charging/server/api.ts'
import { progressWire } from '../gateways/tcec102/wire.ts'
import type { Day, Instant } from '../platform/contract/field.ts'
import { dayOf, instantAt, MINUTE_MS, msOf, startOf } from '../platform/contract/time.ts'
import { run, type Tx } from '../platform/server/database.ts'
import type { House } from '../platform/server/domain.ts'
import { allowOutside } from '../platform/server/outside.ts'
import { PARTNER } from './charging.ts'
import { orWithout } from './child.ts'
import type { Client } from './client.ts'
import { keepIn, keptIn, newFour, startPartnerProcess } from './partner/child.ts'
import { fillPartner, type Partner } from './piles.ts'
import { ConnectorStatus } from '../domains/charging/contract/connector.ts'
import { VerifyState } from '../domains/owner/contract/car.ts'

const find = async (client: Client) => (await client.ask(platform.getTableList, { operatorId: PARTNER })).records[0]

const isSandbox = (url: string) => url.startsWith('http://127.0.0.1:')

/** The partner of the demo gets its secrets and says its own, as two administrators would hand them over; from then on both know where the other one listens. */
export async function connectPartner(
  house: House,
  client: Client,
  enterprise: number,
  { url, nowMs }: { url: string; nowMs: number },
): Promise<void> {
  const { dataDir } = house.config
  let found = await find(client)
  if (!found) return
  if (!found.hasTheirs || !keptIn(dataDir)) {
    const own = newFour()
    const given = await client.ask(platform.rotateSecret, { id: found.id, version: found.version })
    keepIn(dataDir, { operatorId: PARTNER, given, own })
    found = await client.ask(platform.saveSecret, { id: found.id, version: found.version + 1, ...own })
  }
  // It may listen elsewhere than at the last start.
  const listens = await orWithout(house.log, startPartnerProcess({ dataDir, platform: url }))
  if (!listens) return
  allowOutside([new URL(listens).host])
  const baseUrl = `${listens}/evcs/v1`
  if (found.baseUrl && !isSandbox(found.baseUrl)) return // people lead it elsewhere
  if (found.baseUrl !== baseUrl) found = await client.ask(platform.update, { id: found.id, version: found.version, baseUrl })
  if (!found.hasTheirs) await client.ask(platform.saveSecret, { id: found.id, version: found.version, ...keptIn(dataDir)!.own })
  await client.ask(partnerStation.fetch, { platformId: found.id })
  const { total } = await client.ask(statement.checks, { platformId: found.id, limit: 1 })
  if (total > 0) return
  const partner = { platformId: found.id, partnerOperatorId: PARTNER }
  const { all, latest } = await fillPartner(house, enterprise, partner, nowMs)
  if (latest) await shutDoor(house, enterprise, partner, latest)
  if (all[0]) await settleMonths(house, client, enterprise, { platformId: found.id, nowMs, from: all[0].at })
  const today = dayOf(instantAt(nowMs))
  for (const day of new Set(all.map(({ at }) => dayOf(at)).filter((one) => one < today)))
    await client.ask(statement.check, { platformId: found.id, day })
}

/** The months that are over have their statements, as the first night of each has made them: the last one waits to be looked at and sent, those before it are out. */
export async function settleMonths(
  house: House,
  client: Client,
  enterprise: number,
  { platformId, nowMs, from }: { platformId: Partner['platformId']; nowMs: number; from: Instant },
): Promise<void> {
  await house.writing(enterprise, 'demo', async (tx) => {
    for (const { month, end } of monthsBefore(nowMs, from)) await makeStatements(tx, month, end)
  })
  const { records } = await client.ask(statement.query, { platformId, limit: 10 })
  const newest = records
    .map(({ month }) => month)
    .sort()
    .at(-1)
  for (const { id, version, month, state } of records)
    if (month !== newest && statementCan.send(state) !== undefined) await client.ask(statement.send, { id, version })
}
function monthsBefore(nowMs: number, from: Instant): { month: string; end: Instant }[] {
  const months: { month: string; end: Instant }[] = []
  for (let end = firstOf(nowMs); msOf(end) > msOf(from); end = firstOf(msOf(end) - 1))
    months.unshift({ month: dayOf(instantAt(msOf(end) - 1)).slice(0, 7), end })
  return months
}
const firstOf = (ms: number) => startOf(`${dayOf(instantAt(ms)).slice(0, 7)}-01` as Day)

/** Of the demo's drivers, who are there by now, one charges at the partner's. */
export async function roamOnce(house: House, client: Client, enterprise: number): Promise<void> {
  const platformId = (await find(client))?.id
  if (!platformId) return
  const write = <T>(work: (tx: Tx) => Promise<T>) => house.writing(enterprise, 'demo', work)
  const [wish] = await write((tx) => run<{ connectorId: string; ownerId: string; plateNo: string }>(tx, { sql: WISH }, [platformId]))
  if (wish)
    await startRoaming(write, house.log, { platformId, ...wish, holdFen: 5_000 }).catch((error: Error) =>
      house.log.warn({ err: error }, 'No driver of the demo charges at the partner’s.'),
    )
}
const WISH = `select g.connector_id, p.owner_id, c.plate_no from charging.partner_gun g
    cross join lateral (select p.owner_id, p.enterprise_id from owner.purse p where p.enterprise_id = g.enterprise_id and p.owner_id is not null and p.principal_fen >= 5000 order by p.created_at limit 1) p
    join lateral (select plate_no from owner.car c where c.enterprise_id = p.enterprise_id and c.owner_id = p.owner_id and c.verify_state = ${VerifyState.verified} order by c.is_default desc limit 1) c on true
  where g.enterprise_id = scope_enterprise() and g.platform_id = $1 and g.status = ${ConnectorStatus.plugged} and not exists (select from charging.roaming where enterprise_id = g.enterprise_id) order by g.connector_id limit 1`

const TOLD_AFTER_MS = 10 * MINUTE_MS
/** As the platform tries a letter: so many seconds after one another. */
const TRIED_AFTER_S = [0, 1, 5, 30, 300, 3_600]
const NOTHING = 'no answer within 5 s'
/** One night its door was shut: what it was told of a charge then waits for a person. */
async function shutDoor(house: House, enterprise: number, { platformId }: Partner, { seq, at: began }: { seq: string; at: Instant }): Promise<void> {
  const at = instantAt(msOf(began) + TOLD_AFTER_MS)
  let ms = msOf(at)
  const sendings = TRIED_AFTER_S.map((seconds) => ({ at: instantAt((ms += seconds * 1_000)), ret: null, answer: NOTHING }))
  await house.writing(enterprise, 'demo', async (tx) => {
    const charge = (await chargeOfPartner(tx, platformId, seq))!
    const { connectorId, orderNo } = charge
    const data = progressWire(await progressOf(tx, charge))
    await post(tx, { platformId, connectorId, orderNo, name: 'notification_equip_charge_status', data }, at)
    const sql = `update charging.partner_message set state = ${MessageState.dead}, tries = $2, answer = $3, sendings = $4, next_at = null where order_no = $1 and state = ${MessageState.waiting} and created_at = $5`
    await run(tx, { sql }, [orderNo, sendings.length, NOTHING, JSON.stringify(sendings), at])
  })
}
