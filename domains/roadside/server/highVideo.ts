import http from 'node:http'
import https from 'node:https'
import type { Readable } from 'node:stream'
import type { Instant, Of } from '../../../platform/contract/field.ts'
import { DAY_MS, instantAt } from '../../../platform/contract/time.ts'
import { because } from '../../../platform/server/record/audit.ts'
import { run } from '../../../platform/server/database.ts'
import { fileOf } from '../../../platform/server/call/fileReply.ts'
import { addressFor, NotReached } from '../../../platform/server/outside.ts'
import { NotFound, refusal } from '../../../platform/server/refusal.ts'
import { type CallContext, phased, serve } from '../../../platform/server/serve.ts'
import { addressOf } from '../../../platform/contract/call.ts'
import { DeviceType, DeviceUse } from '../../device/contract/device.ts'
import { devicesOf, type Placed, statusOf, store } from '../../device/server/api.ts'
import { sessionIsLive } from '../../identity/server/api.ts'
import { BindAction } from '../contract/berth.ts'
import { type HighVideo, highVideo, PoleCamera, VideoVerdict } from '../contract/highVideo.ts'
import { boundBy, endBinding, holdPlace } from './binding.ts'
import './tables.ts'

const NoCamera = refusal(
  'roadside.no-camera',
  41130,
  '设备「{deviceNo}」没有可播放的画面，请检查设备是否在线',
  'Device “{deviceNo}” has no live picture: check that it is online',
  422,
)
const OnlyEye = refusal(
  'roadside.only-detector',
  41131,
  '泊位「{seatCode}」在停车辆只由该设备检测，请先更换设备',
  'The car on berth “{seatCode}” is detected by this device alone: replace the device first',
)
const NotHighPole = refusal(
  'roadside.not-high-pole',
  41132,
  '设备「{deviceNo}」不是高位视频，请选择高位视频设备',
  'Device “{deviceNo}” is not a high-pole camera: choose a high-pole camera',
  422,
)
const Used = refusal(
  'roadside.ticket-used',
  41133,
  '播放凭证已使用、已过期或不属于本次登录，请重新打开画面',
  'This playback ticket has been used, has expired or belongs to another session: open the picture again',
  403,
)
const NoPicture = refusal('roadside.camera-away', 41134, '相机没有应答，请稍后重试', 'The camera did not respond; try again later', 502)

/** From the ticket to its first use, and from there to the end of the connection. */
const TICKET_MS = 60_000
const LONGEST_MS = 10 * 60_000
/** How soon a sign-out, or a scope that was taken away, ends a picture. */
const LOOK_MS = 5_000
const PLAYS: readonly number[] = [DeviceType.camera, DeviceType.highPole, DeviceType.dome]

export const calls = serve(highVideo, {
  async check({ tx, input, at }) {
    const rows = await run<Checked>(tx, CHECK, [input.parkCode ?? null, input.deviceNo ?? null, instantAt(Date.parse(at) - DAY_MS)])
    return rows.map(judged)
  },
  delete: (context) => removeCamera(context),
  deletePost: (context) => removeCamera(context),
  async byPark({ tx, input }) {
    const wanted = input.type ?? PoleCamera.highPole
    const cameras = (await devicesOf(tx, input.parkCode)).filter(({ type }) => type === wanted)
    const counts = await run<{ deviceNo: string; seats: number }>(tx, SEATS, [cameras.map(({ sn }) => sn)])
    return cameras.map(({ sn: deviceNo, name, online }) => ({
      deviceNo,
      name,
      parkCode: input.parkCode,
      type: wanted,
      online,
      seatsBound: counts.find((one) => one.deviceNo === deviceNo)?.seats ?? 0,
    }))
  },
  play: (context) => ticketFor(context),
  playPost: (context) => ticketFor(context),
  stream: phased(async ({ input, actor, at, write, read }) => {
    const used = await write(async (tx) => {
      const [ticket] = await run<{ deviceNo: string }>(tx, USE, [input.ticket, actor.sessionId, at])
      if (!ticket) throw Used()
      return { ...ticket, address: streamOf(await statusOf(tx, ticket.deviceNo)) }
    })
    if (!used.address) throw NoCamera({ deviceNo: used.deviceNo })
    const source = await opened(used.address).catch(() => undefined)
    if (!source) throw NoPicture()
    const stillMay = () =>
      read(async (tx) => (await sessionIsLive(tx, actor.sessionId)) && (await statusOf(tx, used.deviceNo)) !== undefined).catch(() => false)
    const ended = (because: string) => write((tx) => run(tx, ENDED, [input.ticket, instantAt(Date.now()), because])).catch(() => {})
    watch(source.stream, stillMay, ended)
    return fileOf({ name: used.deviceNo, type: source.type, body: source.stream, inline: true })
  }),
})
const SEATS = {
  sql: 'select device_no, count(*)::int as seats from roadside.binding where enterprise_id = scope_enterprise() and device_no = any($1) and to_at is null group by device_no',
}

/** A clock that is off by more makes wrong fees. */
const CLOCK_OFF_SEC = 60
/** The number of its newest messages to check. */
const ASKED = 5
/**
 * How far the clock is off: a message is never here before it is sent, so the one that took the least time tells. Messages after an outage are late and come all at once: a
 * clock
 * that is slow shows by messages that came one after the other and were all late. One that was dated by receipt says itself what its clock was.
 */
const CLOCK = `select case when max(off) >= -${CLOCK_OFF_SEC} or max(received_at) - min(received_at) > interval '${CLOCK_OFF_SEC} seconds' then round(max(off))::int end
  from (select received_at, case when not clock_fixed then extract(epoch from device_time - received_at) when payload ->> 'ts' ~ '^[0-9]{1,13}$' then least((payload ->> 'ts')::numeric / 1000 - extract(epoch from received_at), 2000000000) end as off
    from device.message m where m.enterprise_id = d.enterprise_id and m.device_no = d.device_no and payload ->> 'ts' is not null order by m.received_at desc limit ${ASKED}) newest`
type Checked = Omit<Of<typeof HighVideo>, 'verdict'>
const CHECK = {
  sql: `select d.device_no, d.name, d.park_code, d.online,
      (select max(e.at) from roadside.evidence e where e.enterprise_id = d.enterprise_id and e.device_no = d.device_no and e.image is not null) as last_frame_at,
      (${CLOCK}) as clock_offset_sec,
      (select count(*)::int from roadside.binding b where b.enterprise_id = d.enterprise_id and b.device_no = d.device_no and b.to_at is null) as seats_bound,
      coalesce((select json_agg(b.seat_code order by b.seat_code) from roadside.binding b where b.enterprise_id = d.enterprise_id and b.device_no = d.device_no and b.to_at is null
        and not exists (select from roadside.evidence e where e.enterprise_id = b.enterprise_id and e.park_code = b.park_code and e.seat_code = b.seat_code and e.device_no = b.device_no and e.at >= $3)), '[]') as blind_seats
    from device.status d where d.enterprise_id = scope_enterprise() and d.type = ${DeviceType.highPole} and d.use_status not in (${DeviceUse.scrapped}, ${DeviceUse.inStock}) and d.park_code is not null
      and ($1::text is null or d.park_code = $1) and ($2::text is null or d.device_no = $2) order by d.device_no limit 500`,
}
function judged(row: Checked): Of<typeof HighVideo> {
  const verdict = !row.online
    ? VideoVerdict.offline
    : row.clockOffsetSec !== null && Math.abs(row.clockOffsetSec) > CLOCK_OFF_SEC
      ? VideoVerdict.clock
      : row.lastFrameAt === null
        ? VideoVerdict.noFrame
        : row.blindSeats.length > 0
          ? VideoVerdict.blind
          : VideoVerdict.fine
  return { ...row, verdict }
}

/** Off its berths and into the store. A car that only it sees would be lost. */
async function removeCamera({ tx, input: { deviceNo, reason }, at, actor }: CallContext<{ deviceNo: string; reason: string }>): Promise<void> {
  const device = await statusOf(tx, deviceNo)
  if (!device) throw NotFound({ deviceNo })
  if (device.type !== DeviceType.highPole) throw NotHighPole({ deviceNo })
  // A car that comes just now is on its berth before it is looked at, or finds the camera gone.
  for (const bound of await boundBy(tx, deviceNo)) await holdPlace(tx, bound)
  const [alone] = await run<{ seatCode: string }>(tx, ALONE, [deviceNo])
  if (alone) throw OnlyEye(alone)
  await because(tx, reason)
  for (const bound of await boundBy(tx, deviceNo)) await endBinding(tx, bound, { action: BindAction.unbound, at, by: actor.userName, reason })
  await store(tx, { deviceNo, at })
}
const ALONE = {
  sql: `select b.seat_code from roadside.binding b join parking.present c on c.enterprise_id = b.enterprise_id and c.park_code = b.park_code and c.seat_code = b.seat_code
    where b.enterprise_id = scope_enterprise() and b.device_no = $1 and b.to_at is null
      and not exists (select from roadside.binding o where o.enterprise_id = b.enterprise_id and o.park_code = b.park_code and o.seat_code = b.seat_code and o.to_at is null and o.id <> b.id) order by 1 limit 1`,
}

async function ticketFor({ tx, input: { deviceNo }, actor, at }: CallContext<{ deviceNo: string }>) {
  const device = await statusOf(tx, deviceNo)
  if (!device) throw NotFound({ deviceNo })
  if (!PLAYS.includes(device.type) || device.parkCode === null || !streamOf(device)) throw NoCamera({ deviceNo })
  const expiresAt = instantAt(Date.parse(at) + TICKET_MS)
  const [open] = await run<{ id: string; expiresAt: Instant }>(tx, UNUSED, [deviceNo, actor.sessionId, at])
  const ticket =
    open ??
    (await tx
      .insertInto('roadside.play')
      .values({
        parkCode: device.parkCode,
        deviceNo,
        sessionId: actor.sessionId,
        personId: actor.userId,
        personName: actor.userName,
        askedAt: at,
        expiresAt,
        begunAt: null,
        endedAt: null,
        endedBecause: null,
      })
      .returning(['id', 'expiresAt'])
      .executeTakeFirstOrThrow())
  return { url: `${addressOf(highVideo.stream)}?ticket=${ticket.id}`, protocol: 'http', expiresAt: ticket.expiresAt }
}
const UNUSED = {
  sql: 'select id, expires_at from roadside.play where enterprise_id = scope_enterprise() and device_no = $1 and session_id = $2 and begun_at is null and expires_at > $3 order by asked_at desc limit 1',
}
const USE = {
  sql: 'update roadside.play set begun_at = $3 where enterprise_id = scope_enterprise() and id = $1 and session_id = $2 and begun_at is null and expires_at > $3 returning device_no',
}
const ENDED = {
  sql: 'update roadside.play set ended_at = $2, ended_because = $3 where enterprise_id = scope_enterprise() and id = $1 and ended_at is null',
}

/** Where the camera, or the gateway before it, gives its picture: it said so itself. */
const streamOf = (device: Placed | undefined): string | undefined =>
  typeof device?.state['streamUrl'] === 'string' ? device.state['streamUrl'] : undefined

/** Cuts the picture when its time is over, when the viewer has signed out or may not see the place any more, and when they close it. */
function watch(stream: Readable, stillMay: () => Promise<boolean>, ended: (because: string) => Promise<unknown>): void {
  const cut = (because: string) => {
    stop()
    void ended(because)
    stream.destroy()
  }
  const limit = setTimeout(() => cut('limit'), LONGEST_MS)
  const look = setInterval(() => void stillMay().then((may) => !may && cut('lost')), LOOK_MS)
  const stop = () => (clearTimeout(limit), clearInterval(look))
  stream.once('close', () => {
    stop()
    void ended('closed')
  })
}

const OPENS_MS = 5_000
/** Connects to the camera's address, which must not lie where messages do not go. @throws NotReached */
async function opened(address: string): Promise<{ stream: Readable; type: string }> {
  const url = new URL(address)
  if (!/^https?:$/.test(url.protocol)) throw new NotReached('the address is not a plain http or https address', true)
  const secure = url.protocol === 'https:'
  const host = await addressFor(url.hostname, Number(url.port) || (secure ? 443 : 80))
  return new Promise((done, fail) => {
    const asked = (secure ? https : http).get(
      { host, port: url.port, path: `${url.pathname}${url.search}`, headers: { host: url.host }, servername: url.hostname, timeout: OPENS_MS },
      (answer) => {
        asked.setTimeout(0)
        if (answer.statusCode === 200) done({ stream: answer, type: answer.headers['content-type'] ?? 'application/octet-stream' })
        else fail(new NotReached(`the camera answered ${answer.statusCode}`, false))
      },
    )
    asked.once('timeout', () => asked.destroy(new NotReached('the camera does not answer', false)))
    asked.once('error', fail)
  })
}
