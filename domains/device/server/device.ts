import type { CodeOf, Id, Instant, Of } from '../../../platform/contract/field.ts'
import { because } from '../../../platform/server/record/audit.ts'
import type { Config } from '../../../platform/server/start/config.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { BadInput, IllegalMove, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { signal } from '../../../platform/server/realtime.ts'
import { addRow, lockRow, setRow } from '../../../platform/server/row.ts'
import { phased, serve } from '../../../platform/server/serve.ts'
import { Device, device, deviceCan, deviceSearch, DeviceStatus, DeviceType, DeviceUse, statusSearch, WarningState } from '../contract/device.ts'
import { cancelFor } from './command.ts'
import { scrapping, shelving, standsAt } from './events.ts'
import { hashOf, newSecret, NO_SECRET } from './presence.ts'
import { OPEN } from './warning.ts'
import './tables.ts'

const MQTT_PORT = 1883
const MQTTS_PORT = 8883
/** Where the broker is, as the settings have it; without a host it is the console's own. */
function lineOf({ mqttUrl, mqttPort }: Pick<Config, 'mqttUrl' | 'mqttPort'>): Of<typeof device.line.reply> {
  if (mqttUrl === undefined) return { host: null, port: mqttPort }
  const { hostname, port, protocol } = new URL(mqttUrl)
  return { host: hostname, port: Number(port) || (protocol === 'mqtts:' ? MQTTS_PORT : MQTT_PORT) }
}

export const devices = listOver(DeviceStatus, 'device.status', deviceSearch)
const byStatus = listOver(DeviceStatus, 'device.status', statusSearch)

export const calls = serve(device, {
  find: ({ tx, input }) => page(tx, devices, input),
  status: ({ tx, input }) => page(tx, byStatus, input),
  async findOne({ tx, input }) {
    const found = await find(tx, devices, input.id)
    if (!found) throw NotFound()
    return found as Of<typeof DeviceStatus>
  },
  line: async ({ house }) => lineOf(house.config),
  parks: ({ tx }) =>
    run(
      tx,
      {
        sql: 'select park_code, count(*)::int as devices, (count(*) filter (where online))::int as online from device.status where park_code is not null group by park_code order by park_code',
      },
      [],
    ),
  insert: phased(async ({ input, write }) => {
    const secret = newSecret()
    const secretHash = await hashOf(secret)
    return write(async (tx) => {
      const made = await addDevice(tx, { ...input, secretHash })
      await mustStand(tx, made)
      return { id: made.id, deviceNo: made.deviceNo, secret }
    })
  }),
  update: phased(async ({ input, write, at }) => {
    const { id, version, renewSecret, ...changes } = input
    const secret = renewSecret ? newSecret() : null
    const secretHash = secret === null ? undefined : await hashOf(secret)
    return write(async (tx) => {
      const made = await setDevice(tx, { id, version }, { ...changes, ...(secretHash && { secretHash }) }, at)
      return { version: made.version, secret }
    })
  }),
  async changeUse({ tx, input, at }) {
    await because(tx, input.reason)
    for (const id of [...new Set(input.ids)].sort()) await putToUse(tx, await lockRow(tx, rows, { id }), input.to, at)
  },
  secrets: phased(async ({ input, write, at }) => {
    const made = await Promise.all(
      [...new Set(input.ids)].map(async (id) => {
        const secret = newSecret()
        return { id, secret, secretHash: await hashOf(secret) }
      }),
    )
    return write((tx) => renewAll(tx, made, at))
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

type Row = Of<typeof Device>
/** The table itself: the list above is a view, which adds what was heard last. */
const rows = listOver(Device, 'device.device', deviceSearch)
type New = Pick<Row, 'deviceNo' | 'name' | 'type'> &
  Partial<Pick<Row, 'productId' | 'parkCode' | 'gateCode' | 'useStatus' | 'intervalSec' | 'remark'>>
/** @throws where the number is known already, in this enterprise or another */
export const addDevice = (tx: Tx, device: New & { secretHash: string }): Promise<Row> => addRow(tx, rows, { ...nothingMore, ...device })
const nothingMore = { productId: null, parkCode: null, gateCode: null, remark: null }

/** Changes what a device is, where it stands and what it is used for. @throws Stale, NotByHand, NoSuchPlace, and what `shelving` says */
export async function setDevice(
  tx: Tx,
  key: { id: Id<'DeviceId'>; version?: number },
  changes: Partial<Row> & { secretHash?: string },
  at: Instant,
): Promise<Row> {
  const found = await lockRow(tx, rows, key)
  if (changes.useStatus === DeviceUse.scrapped && found.useStatus !== DeviceUse.scrapped) throw NotScrappedHere()
  if (changes.useStatus !== undefined && changes.useStatus !== found.useStatus && !mayBecome(found.useStatus, changes.useStatus))
    throw IllegalMove({ useStatus: found.useStatus })
  if (changes.useStatus !== undefined) await mayLeaveRepair(tx, found, changes.useStatus)
  const made = await setRow(tx, rows, found, changes, at)
  // One that stays where it was may stand at a gate that has gone meanwhile.
  if (made.parkCode !== found.parkCode || made.gateCode !== found.gateCode) await mustStand(tx, made)
  if (changes.secretHash !== undefined || changes.useStatus !== undefined) await signal(tx, SHUT_SIGNAL, found.deviceNo)
  return made
}
const NotScrappedHere = refusal(
  'device.scrap-by-approval',
  40716,
  '报废须经审批：请在「报废记录」中申请',
  'Scrapping needs approval: request it under “Scrap records”',
  422,
)

/** Put in use it stands somewhere and is heard of; repaired it stands where it stood. */
async function putToUse(tx: Tx, found: Row, to: Row['useStatus'], at: Instant): Promise<void> {
  if (!mayBecome(found.useStatus, to)) throw IllegalMove({ deviceNo: found.deviceNo, useStatus: found.useStatus })
  if (to === DeviceUse.inUse && found.useStatus !== DeviceUse.faulty && found.parkCode === null) throw NoPlaceYet({ deviceNo: found.deviceNo })
  await mayLeaveRepair(tx, found, to)
  await setRow(tx, rows, found, { useStatus: to }, at)
  await signal(tx, SHUT_SIGNAL, found.deviceNo)
}
/** Asks the repair whether its device may go into the store by hand while somebody works on it. @throws whatever its repair has to say */
async function mayLeaveRepair(tx: Tx, { deviceNo, useStatus }: Row, to: Use): Promise<void> {
  if (useStatus === DeviceUse.inRepair && to === DeviceUse.inStock) await shelving.ask(tx, { deviceNo })
}
const NoPlaceYet = refusal(
  'device.no-place-yet',
  40717,
  '{deviceNo} 还没有安装位置，请先选择车场',
  '{deviceNo} has no location yet: choose its car park first',
  422,
)

/** In the order of their ids: two people who choose the same devices wait for each other. */
async function renewAll(tx: Tx, made: readonly { id: Id<'DeviceId'>; secret: string; secretHash: string }[], at: Instant) {
  const shown: { deviceNo: string; name: string; secret: string }[] = []
  for (const { id, secret, secretHash } of [...made].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const { deviceNo, name } = await setDevice(tx, { id }, { secretHash }, at)
    shown.push({ deviceNo, name, secret })
  }
  return shown
}

/** Takes a device off its place and into the store; the domains that bound it have released it. @throws IllegalMove when it is scrapped or there already */
export async function store(tx: Tx, { deviceNo, at }: { deviceNo: string; at: Instant }): Promise<void> {
  const [key] = await run<{ id: Id<'DeviceId'> }>(
    tx,
    { sql: 'select id from device.device where enterprise_id = scope_enterprise() and device_no = $1' },
    [deviceNo],
  )
  if (!key) throw NotFound({ deviceNo })
  const found = await lockRow(tx, rows, { id: key.id })
  const useStatus = deviceCan.store(found.useStatus)
  if (useStatus === undefined) throw IllegalMove({ deviceNo, useStatus: found.useStatus })
  await setRow(tx, rows, found, { useStatus, parkCode: null, gateCode: null }, at)
  await signal(tx, SHUT_SIGNAL, deviceNo)
}

/**
 * Scraps a device for good: it lets go of its gate, berths, presets and lane, its commands are cancelled and its warnings closed, and its secret opens nothing any more.
 * Inspection decides who may ask for it, and whose approval it takes.
 * @throws IllegalMove while it is in use
 */
export async function scrap(tx: Tx, { deviceNo, at }: { deviceNo: string; at: Instant }): Promise<void> {
  const [key] = await run<{ id: Id<'DeviceId'> }>(
    tx,
    { sql: 'select id from device.device where enterprise_id = scope_enterprise() and device_no = $1' },
    [deviceNo],
  )
  if (!key) throw NotFound()
  const found = await lockRow(tx, rows, { id: key.id })
  const useStatus = deviceCan.scrap(found.useStatus)
  if (useStatus === undefined) throw IllegalMove({ deviceNo, useStatus: found.useStatus })
  await scrapping.ask(tx, { deviceNo, at })
  await setRow(tx, rows, found, { useStatus, parkCode: null, gateCode: null, secretHash: NO_SECRET }, at)
  await run(tx, { sql: 'delete from device.etc where device_no = $1' }, [deviceNo])
  await run(
    tx,
    {
      sql: `update device.warning set state = ${WarningState.closed}, recovered_at = $2::timestamptz, version = version + 1 where device_no = $1 and ${OPEN}`,
    },
    [deviceNo, at],
  )
  await cancelFor(tx, deviceNo)
  await signal(tx, SHUT_SIGNAL, deviceNo)
}

/** Sent on commit to all gateways: a connection of this device has to sign in again. */
export const SHUT_SIGNAL = 'device.shut'
type Use = Of<typeof Device>['useStatus']
const mayBecome = (from: Use, to: Use) => Object.values(deviceCan).some((move) => move(from) === to)

const NoSuchPlace = refusal(
  'device.no-such-place',
  40703,
  '没有这个车场，或它没有这个通道，请重新选择',
  'The car park does not exist or has no such lane: choose again',
  422,
)
/** A gate is one of its park's. @throws NoSuchPlace */
export async function mustStand(tx: Tx, { parkCode, gateCode }: { parkCode: string | null; gateCode: string | null }): Promise<void> {
  if (parkCode === null && gateCode === null) return
  const answers = parkCode === null ? [] : await standsAt.ask(tx, { parkCode, gateCode })
  if (!answers.some(({ answer }) => answer)) throw NoSuchPlace()
}

export interface Enrolment {
  sn: string
  name: string
  /** device_type; a barrier may have a camera of its own. */
  type: number
  parkCode?: string
  gateCode?: string
  intervalSec?: number
  /** The time since which it stands there; left out, from now on. */
  since?: Instant
  /** From `hashOf(secret)`: many devices of a demo share one. */
  secretHash: string
}
/** Makes a device known, or gives a known one a new secret and place. For demo data and for domains that bring their own devices. */
export async function enrol(tx: Tx, { sn, name, type, parkCode, gateCode, intervalSec = 60, since, secretHash }: Enrolment): Promise<void> {
  await run(
    tx,
    {
      sql: `insert into device.device (device_no, name, type, park_code, gate_code, interval_sec, secret_hash, created_at, updated_at)
        values ($1, $2, $3, $4, $5, $6, $7, coalesce($8::timestamptz, now()), coalesce($8::timestamptz, now()))
        on conflict (device_no) do update set name = excluded.name, type = excluded.type, park_code = excluded.park_code, gate_code = excluded.gate_code, secret_hash = excluded.secret_hash`,
    },
    [sn, name, type, parkCode ?? null, gateCode ?? null, intervalSec, secretHash, since ?? null],
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
/** The device that does this at the gate: a barrier, a camera or a sign. Where there is none of the kind, the barrier, which does it all. */
export async function deviceOf(
  tx: Tx,
  { parkCode, gateCode, type = DeviceType.barrier }: { parkCode: string; gateCode: string; type?: CodeOf<typeof DeviceType> },
): Promise<Placed | undefined> {
  const [found] = await run<Placed>(
    tx,
    {
      sql: `select ${PLACED} from device.status where park_code = $1 and gate_code = $2 and use_status not in (${DeviceUse.scrapped}, ${DeviceUse.inStock}) and type in ($3, ${DeviceType.barrier}) order by type = $3 desc, device_no limit 1`,
    },
    [parkCode, gateCode, type],
  )
  return found
}
/** All devices of the gates of a park, for boards. */
export const devicesOf = (tx: Tx, parkCode: string): Promise<Placed[]> =>
  run<Placed>(
    tx,
    {
      sql: `select ${PLACED} from device.status where park_code = $1 and use_status not in (${DeviceUse.scrapped}, ${DeviceUse.inStock}) order by gate_code, type, device_no`,
    },
    [parkCode],
  )
export async function statusOf(tx: Tx, sn: string): Promise<Placed | undefined> {
  return (await run<Placed>(tx, { sql: `select ${PLACED} from device.status where device_no = $1` }, [sn]))[0]
}
