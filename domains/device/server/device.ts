import type { Id, Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { BadInput, IllegalMove, NotFound, refusal, Stale } from '../../../platform/server/refusal.ts'
import { signal } from '../../../platform/server/realtime.ts'
import { phased, serve } from '../../../platform/server/serve.ts'
import { type Device, device, deviceCan, deviceSearch, DeviceStatus, statusSearch } from '../contract/device.ts'
import { standsAt } from './events.ts'
import { hashOf, newSecret } from './presence.ts'
import './tables.ts'

const devices = listOver(DeviceStatus, 'device.status', deviceSearch)
const byStatus = listOver(DeviceStatus, 'device.status', statusSearch)

export const calls = serve(device, {
  find: ({ tx, input }) => page(tx, devices, input),
  status: ({ tx, input }) => page(tx, byStatus, input),
  async findOne({ tx, input }) {
    const found = await find(tx, devices, input.id)
    if (!found) throw NotFound()
    return found as Of<typeof DeviceStatus>
  },
  parks: ({ tx }) =>
    run(tx, { sql: 'select park_code, count(*)::int as devices, (count(*) filter (where online))::int as online from device.status where park_code is not null group by park_code order by park_code' }, []), // prettier-ignore
  insert: phased(async ({ input, write }) => {
    const secret = newSecret()
    const secretHash = await hashOf(secret)
    const { id } = await write(async (tx) => {
      const made = await tx
        .insertInto('device.device')
        .values({ ...noPlace, ...input, secretHash })
        .returning(['id', 'parkCode', 'gateCode'])
        .executeTakeFirstOrThrow()
      await mustStand(tx, made)
      return made
    })
    return { id, secret }
  }),
  update: phased(async ({ input, write }) => {
    const { id, version, renewSecret, ...changes } = input
    const secret = renewSecret ? newSecret() : null
    const secretHash = secret === null ? undefined : await hashOf(secret)
    await write(async (tx) => {
      const found = await lockDevice(tx, id, version)
      if (changes.useStatus !== undefined && changes.useStatus !== found.useStatus && !mayBecome(found.useStatus, changes.useStatus))
        throw IllegalMove({ useStatus: found.useStatus })
      // A scrapped device stands nowhere any more.
      const unbound = changes.useStatus === SCRAPPED ? { parkCode: null, gateCode: null } : {}
      const made = await tx
        .updateTable('device.device')
        .set({ ...changes, ...unbound, ...(secretHash && { secretHash }), version: version + 1, updatedAt: new Date().toISOString() as Instant })
        .where('id', '=', id)
        .returning(['parkCode', 'gateCode'])
        .executeTakeFirstOrThrow()
      // One that stays where it was may stand at a gate that has gone meanwhile.
      if (made.parkCode !== found.parkCode || made.gateCode !== found.gateCode) await mustStand(tx, made)
      if (secret !== null || changes.useStatus !== undefined) await signal(tx, SHUT_SIGNAL, found.deviceNo)
    })
    return { version: version + 1, secret }
  }),
  async deleteList({ tx, input }) {
    if (input.ids.length === 0) throw BadInput({ zh: '请选择设备', en: 'choose a device' })
    const [used] = await run<{ deviceNo: string }>(
      tx,
      {
        sql: 'select device_no from device.device d where id = any($1::uuid[]) and exists (select from device.message m where m.enterprise_id = d.enterprise_id and m.device_no = d.device_no) limit 1',
      },
      [input.ids],
    )
    if (used) throw IllegalMove({ deviceNo: used.deviceNo })
    const gone = await tx.deleteFrom('device.device').where('id', 'in', input.ids).returning('deviceNo').execute()
    for (const { deviceNo } of gone) await signal(tx, SHUT_SIGNAL, deviceNo)
  },
})

/** Said on commit to all gateways: whoever is connected as this device has to come in again. */
export const SHUT_SIGNAL = 'device.shut'
const SCRAPPED = 3
const noPlace = { productId: null, parkCode: null, gateCode: null, remark: null }
type Use = Of<typeof Device>['useStatus']
const mayBecome = (from: Use, to: Use) => Object.values(deviceCan).some((move) => move(from) === to)

const NoSuchPlace = refusal(
  'device.no-such-place',
  42275,
  '没有这个车场，或它没有这个通道，请重新选择',
  'There is no such park, or it has no such gate: choose again',
  422,
)
/** A gate is one of its park's. @throws NoSuchPlace */
async function mustStand(tx: Tx, { parkCode, gateCode }: { parkCode: string | null; gateCode: string | null }): Promise<void> {
  if (parkCode === null && gateCode === null) return
  const answers = parkCode === null ? [] : await standsAt.ask(tx, { parkCode, gateCode })
  if (!answers.some(({ answer }) => answer)) throw NoSuchPlace()
}

async function lockDevice(tx: Tx, id: Id<'DeviceId'>, version: number) {
  const found = await tx
    .selectFrom('device.device')
    .select(['id', 'deviceNo', 'version', 'useStatus', 'parkCode', 'gateCode'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!found) throw NotFound()
  if (found.version !== version) throw Stale({ version: found.version })
  return found
}

export interface Enrolment {
  sn: string
  name: string
  /** device_type; 1 is a barrier, also one with its own camera. */
  type: number
  parkCode?: string
  gateCode?: string
  intervalSec?: number
  /** From `hashOf(secret)`: many devices of a demo share one. */
  secretHash: string
}
/** Makes a device known, or gives a known one a new secret and place. For demo data and for domains that bring their own devices. */
export async function enrol(tx: Tx, { sn, name, type, parkCode, gateCode, intervalSec = 60, secretHash }: Enrolment): Promise<void> {
  await run(
    tx,
    {
      sql: `insert into device.device (device_no, name, type, park_code, gate_code, interval_sec, secret_hash) values ($1, $2, $3, $4, $5, $6, $7)
        on conflict (device_no) do update set name = excluded.name, type = excluded.type, park_code = excluded.park_code, gate_code = excluded.gate_code, secret_hash = excluded.secret_hash`,
    },
    [sn, name, type, parkCode ?? null, gateCode ?? null, intervalSec, secretHash],
  )
}
export interface Placed {
  sn: string
  name: string
  type: number
  parkCode: string | null
  gateCode: string | null
  online: boolean
  lastSeenAt: Instant | null
  useStatus: number
  state: Record<string, unknown>
}
const PLACED = 'device_no as sn, name, type, park_code, gate_code, online, last_seen_at, use_status, state'
/** The device that does this at the gate: a barrier (1), a camera (2) or a sign (3). Where there is none of the kind, the barrier, which does it all. */
export async function deviceOf(
  tx: Tx,
  { parkCode, gateCode, type = 1 }: { parkCode: string; gateCode: string; type?: 1 | 2 | 3 },
): Promise<Placed | undefined> {
  const [found] = await run<Placed>(
    tx,
    {
      sql: `select ${PLACED} from device.status where park_code = $1 and gate_code = $2 and use_status not in (3, 4) and type in ($3, 1) order by type = $3 desc, device_no limit 1`,
    },
    [parkCode, gateCode, type],
  )
  return found
}
/** All devices of the gates of a park, for boards. */
export const devicesOf = (tx: Tx, parkCode: string): Promise<Placed[]> =>
  run<Placed>(
    tx,
    { sql: `select ${PLACED} from device.status where park_code = $1 and use_status not in (3, 4) order by gate_code, type, device_no` },
    [parkCode],
  )
export async function statusOf(tx: Tx, sn: string): Promise<Placed | undefined> {
  return (await run<Placed>(tx, { sql: `select ${PLACED} from device.status where device_no = $1` }, [sn]))[0]
}
