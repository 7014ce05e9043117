import type pg from 'pg'
import { openOrder } from '../../domains/settlement/server/api.ts'
import { openPool, writing } from '../../platform/server/database.ts'
import { migrate } from '../../platform/server/start/migrate.ts'
import { lane } from '../../gateways/mqtt/simulator.ts'
import { type Outcome, type Sort, told, type Wish } from './storm.ts'

/** Longer than any answer may take. */
const PATIENCE_MS = 8_000
export interface Door {
  url: string
  token: string
  owner(): Promise<pg.Client>
}
const post = ({ url, token }: Door, address: string, body: object, key: string) =>
  fetch(`${url}/lbs${address}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
const counted = (door: Door, sql: string) => async (marks: readonly string[]) => {
  const owner = await door.owner()
  const { rows } = await owner.query<{ mark: string; n: number }>(sql, [marks])
  return new Map(rows.map(({ mark, n }) => [mark, n]))
}

/** Somebody edits a park of their own again and again; each remark is a mark, and the audit stream knows how often it was written. */
export function parkEdits(door: Door, parkCode: string): Sort {
  let known: { id: string; version: number } | undefined
  let n = 0
  return {
    async wish() {
      known ??= await current(door, parkCode)
      const { id, version } = known!
      const remark = `${parkCode} ${++n}`
      return {
        mark: remark,
        async send(key) {
          const outcome: Outcome = await told(post(door, '/basic/parkInfo/update', { id, version, remark }, key), (data) => (known = data))
          if (outcome !== 'acknowledged') known = undefined // who does not know reads it again
          return outcome
        },
      }
    },
    effects: counted(
      door,
      `select after ->> 'remark' as mark, count(*)::int as n from platform.change where entity = 'parking.park' and after ->> 'remark' = any ($1) group by 1`,
    ),
  }
}
async function current(door: Door, parkCode: string) {
  const made = await post(door, '/basic/parkInfo/queryDetail', { parkCode }, '')
  if (made.status === 200) return ((await made.json()) as { data: { id: string; version: number } }).data
  if (made.status !== 404) throw new Error('not now')
  await post(door, '/basic/parkInfo/add', { parkCode, name: parkCode, pType: 1, regionCode: '420607', totalBays: 1 }, `make ${parkCode}`)
  throw new Error('looked at next time')
}

/** Orders of one and two yuan that wait for their money. */
export async function openOrders(ownerUrl: string, many: number): Promise<{ id: string; payableFen: number }[]> {
  const { appUrl } = await migrate(ownerUrl, { info() {}, warn() {} })
  const pool = openPool(appUrl, 1)
  const author = { userId: null, userName: 'test', via: 'test', requestId: '' }
  const at = new Date().toISOString() as never
  try {
    return await writing(pool, { enterprise: 1, parks: null }, author, async (tx) => {
      const made = []
      for (let n = 0; n < many; n++)
        made.push(await openOrder(tx, { type: 1, plateNo: '鄂F6S218', plateColor: 0, parkCode: 'P001', receivableFen: 100 + n, discountFen: 0, at }))
      return made
    })
  } finally {
    await pool.end()
  }
}

/** Cash for orders that wait for it, each once. */
export function cash(door: Door, orders: { id: string; payableFen: number }[]): Sort {
  return {
    async wish() {
      const order = orders.pop()
      return (
        order && {
          mark: order.id,
          send: (key) => told(post(door, '/business/order/cash', { id: order.id, amountFen: order.payableFen }, key)),
        }
      )
    },
    effects: counted(
      door,
      'select order_id::text as mark, count(*)::int as n from settlement.payment where state = 1 and order_id::text = any ($1) group by 1',
    ),
  }
}

/** `storm` keeps the plates of one storm apart from those of another. */
export function whiteList(door: Door, storm: number): Sort {
  let n = 0
  return {
    async wish() {
      const plateNo = `豫R${storm * 10_000 + ++n}`
      const body = { plateNo, listType: 1, startAt: '2026-01-01T00:00:00Z', reasonType: 1, parkCodes: ['P001', 'P002'] }
      return { mark: plateNo, send: (key) => told(post(door, '/member/member/whiteAndBlack/insert', body, key)) }
    },
    // One entry for each of two parks: half of it would be one.
    effects: counted(door, 'select plate_no as mark, (count(*) / 2.0)::float as n from member.list where plate_no = any ($1) group by 1'),
  }
}

/** A lane's camera over MQTT, which repeats by itself what was not acknowledged. Each car is decided about once. */
export async function laneEvents(door: Door, mqttUrl: string, sn: string, secret: string, storm: number): Promise<Sort & { close(): Promise<void> }> {
  const device = await lane({ sn, secret, url: mqttUrl, direction: 'in', passAfterMs: 20 })
  let n = 0
  const wish = async (): Promise<Wish> => {
    const plate = `鄂${'ABCDEFGH'[Number(sn.slice(-1))]}${storm * 10_000 + ++n}`
    let event: Promise<Outcome> | undefined
    // The device keeps it and says it again on its own: asked again, it only goes on waiting.
    const send = () =>
      Promise.race([
        (event ??= device.plate({ plate }).then(
          () => 'acknowledged' as const,
          () => 'unknown' as const,
        )),
        late(),
      ])
    return { mark: plate, send }
  }
  return {
    wish,
    effects: counted(door, 'select plate_no as mark, count(*)::int as n from parking.decision where plate_no = any ($1) group by 1'),
    close: () => device.close(true),
  }
}
const late = () => new Promise<Outcome>((resolve) => setTimeout(resolve, PATIENCE_MS / 2, 'unknown').unref())
