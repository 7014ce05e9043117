import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { lasting } from '../../../platform/contract/duration.ts'
import type { Instant } from '../../../platform/contract/field.ts'
import { impliedColor, isOfficialPlate } from '../../../platform/contract/plate.ts'
import { DAY_MS, MINUTE_MS } from '../../../platform/contract/time.ts'
import { because } from '../../../platform/server/record/audit.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import type { House } from '../../../platform/server/domain.ts'
import { addJob, type Task } from '../../../platform/server/job/jobs.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { askOutside } from '../../../platform/server/outside.ts'
import { tell } from '../../../platform/server/realtime.ts'
import { IllegalMove, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { lockRow, setRow } from '../../../platform/server/row.ts'
import { phased, serve } from '../../../platform/server/serve.ts'
import { plateTyped, standingOf } from '../../parking/server/api.ts'
import { IllegalState, IllegalStop, illegalCan, illegalSearch, illegalStop } from '../contract/illegalStop.ts'
import { caught, type Illegal } from './caught.ts'
import { districtOf } from './district.ts'
import { illegalTopic } from './questions.ts'
import './tables.ts'
import { Said } from '../contract/said.ts'

const OwnWork = refusal(
  'roadside.own-work',
  41122,
  '不能审核自己登记或处理过的违停；请由他人审核',
  'You cannot review an illegal stop that you recorded or handled: another person must review it',
)
const TooLittle = refusal(
  'roadside.too-little-evidence',
  41123,
  '判为有效须有两张间隔不少于 {apart}、可见车牌和位置的图片',
  'It can only be valid with two pictures at least {apartEn} apart that show the plate and the location',
  422,
)
const Special = refusal('roadside.special-vehicle', 41124, '该车为特种车辆，应判为无效', 'This is a special vehicle: mark it invalid', 422)
const WhyNot = refusal('roadside.why-invalid', 41125, '判为无效须选择原因', 'Choose a reason for marking it invalid', 422)
const TooOld = refusal(
  'roadside.recheck-too-late',
  41126,
  '审核已超过 7 天，不能再复核',
  'It was reviewed more than 7 days ago and cannot be reviewed again',
)
const BadSign = refusal('roadside.bad-sign', 41127, '签名不正确', 'The signature is not valid', 403)
const ResultOrReason = refusal('roadside.result-or-reason', 41128, '请填写处理结果，或退回原因', 'Enter the outcome, or the reason for return', 422)

const stops = listOver(IllegalStop, 'roadside.illegalStop', illegalSearch)
const RECHECK_DAYS = 7

/** Where the police platform takes records, and what both sides sign with; without an address nothing is sent, and without a secret no notice is believed. */
export interface Police {
  url?: string | undefined
  secret?: string | undefined
}
let police: Police = {}
/** Said once at start. The police have no session: whose record it is follows from their number. */
export const workWithPolice = (settings: Police): void => void (police = settings)

export const calls = serve(illegalStop, {
  query: ({ tx, input: { kind: _, ...input } }) => page(tx, stops, input),
  export: exporting(illegalStop.export, ({ tx, input: { kind: _, ...input } }) => page(tx, stops, input)),
  async one({ tx, input }) {
    const found = await find(tx, stops, input.id)
    if (!found) throw NotFound()
    return found
  },
  async create({ tx, input, actor, at }) {
    const plateNo = plateTyped(input.plateNo, true)
    await districtOf(tx, input.parkCode)
    const { id } = await caught(tx, {
      ...input,
      plateNo,
      plateColor: input.plateColor ?? impliedColor(plateNo),
      at: earlier(input.at, at),
      filedBy: actor.userName,
    })
    return (await find(tx, stops, id))!
  },
  async review({ tx, input: { state, invalidReason, ...key }, actor, at }) {
    const found = await lockRow(tx, stops, key)
    if (await isOwn(tx, found, actor.userName)) throw OwnWork()
    if ((state as number) === IllegalState.invalid) {
      if (!invalidReason) throw WhyNot()
      return moveTo(tx, found, 'reject', { invalidReason, reviewedBy: actor.userName, reviewedAt: at }, at)
    }
    await refuseWeak(tx, found, at)
    return moveTo(tx, found, 'accept', { reviewedBy: actor.userName, reviewedAt: at }, at)
  },
  async recheck({ tx, input: { reason, ...key }, actor, at }) {
    const found = await lockRow(tx, stops, key)
    if (found.reviewedBy === actor.userName) throw OwnWork()
    if (found.reviewedAt && Date.parse(at) - Date.parse(found.reviewedAt) > RECHECK_DAYS * DAY_MS) throw TooOld()
    await because(tx, reason)
    return moveTo(tx, found, 'recheck', { invalidReason: null }, at)
  },
  async push({ tx, input, at }) {
    for (const id of [...new Set(input.ids)].sort()) {
      const found = await lockRow(tx, stops, { id })
      if (illegalCan.push(found.state) === undefined) throw IllegalMove({ illegalNo: found.illegalNo, state: found.state })
      await setStop(tx, found, { pushError: null }, at)
      await addJob(tx, pushTask, { id }, { key: `${pushTask.name}:${id}` })
    }
  },
  async receipt({ tx, input: { result, reason, ...key }, at }) {
    const found = await lockRow(tx, stops, key)
    return answered(tx, found, result, reason, at)
  },
  notice: phased(async ({ input: { policeNo, result, at: said, sign }, at, asSteps, house }) => {
    const enterprise = await signedFor(house, { policeNo, result, at: said, sign })
    const write = asSteps((work) => house.writing(enterprise, 'roadside.illegal.notice', work))
    await write(async (tx) => {
      const [one] = await run<Pick<Illegal, 'id'>>(
        tx,
        { sql: 'select id from roadside.illegal_stop where enterprise_id = scope_enterprise() and police_no = $1' },
        [policeNo],
      )
      if (!one) throw NotFound()
      const found = await lockRow(tx, stops, { id: one.id })
      // The same notice again changes nothing.
      if (found.state === IllegalState.pushed) await answered(tx, found, result, Said.policeBack, at)
    })
  }),
})
const earlier = (a: Instant, b: Instant): Instant => (Date.parse(a) < Date.parse(b) ? a : b)

async function isOwn(tx: Tx, { id }: Illegal, name: string): Promise<boolean> {
  const [found] = await run<{ filedBy: string[] }>(
    tx,
    { sql: 'select filed_by from roadside.illegal_stop where enterprise_id = scope_enterprise() and id = $1' },
    [id],
  )
  return found!.filedBy.includes(name)
}

/** Two pictures of one car at one place, as far apart as it must have stood. @throws TooLittle, Special */
async function refuseWeak(tx: Tx, { images, holdMin, plateNo, plateColor, parkCode }: Illegal, at: Instant): Promise<void> {
  const good = images.filter(({ showsPlate, showsPlace }) => showsPlate && showsPlace).map((one) => Date.parse(one.at))
  if (plateNo === null || good.length < 2 || Math.max(...good) - Math.min(...good) < holdMin * MINUTE_MS) {
    const [apart, apartEn] = lasting(holdMin)
    throw TooLittle({ apart, apartEn })
  }
  if (isOfficialPlate(plateNo) || (await standingOf(tx, { parkCode, plateNo, plateColor, at })).special) throw Special()
}

async function answered(tx: Tx, found: Illegal, result: Illegal['result'] | undefined, reason: string | undefined, at: Instant): Promise<Illegal> {
  if (result) return moveTo(tx, found, 'handle', { result }, at)
  if (!reason) throw ResultOrReason()
  await because(tx, reason)
  return moveTo(tx, found, 'giveBack', { pushError: reason }, at)
}

async function moveTo(tx: Tx, found: Illegal, move: keyof typeof illegalCan, changes: Partial<Illegal>, at: Instant): Promise<Illegal> {
  const state = illegalCan[move](found.state)
  if (state === undefined) throw IllegalMove({ state: found.state })
  return setStop(tx, found, { ...changes, state }, at)
}
async function setStop(tx: Tx, found: Illegal, { images: _, ...changes }: Partial<Illegal>, at: Instant): Promise<Illegal> {
  const [row] = await Promise.all([setRow(tx, stops, found, changes, at), tell(tx, illegalTopic, { park: found.parkCode, ids: [found.id] })])
  return row
}
/** By the key that the police platform was given. */
interface Signed {
  policeNo: string
  result?: number | undefined
  at: Instant
  sign: string
}
async function signedFor(house: House, { policeNo, result, at, sign }: Signed): Promise<number> {
  const right = police.secret ? Buffer.from(signPolice(police.secret, policeNo, result, at)) : undefined
  const said = Buffer.from(sign)
  if (!right || right.length !== said.length || !timingSafeEqual(right, said)) throw BadSign()
  const { rows } = await house.pool.query<{ enterprise: number | null }>('select roadside.enterprise_of($1) as enterprise', [policeNo])
  if (rows[0]!.enterprise === null) throw NotFound()
  return rows[0]!.enterprise
}
export const signPolice = (key: string, policeNo: string, result: number | undefined, at: Instant): string =>
  createHmac('sha256', key)
    .update(`${policeNo}.${result ?? ''}.${at}`)
    .digest('hex')

/** Sends one to the police platform. Whatever goes wrong is written on the record, which stays as it was. */
const pushTask = {
  name: 'roadside.illegal-push',
  async work() {},
  async alone({ enterprise, data: { id }, at, house }: { enterprise: number; data: { id: Illegal['id'] }; at: Instant; house: House }) {
    const stop = await house.reading(enterprise, (tx) => find(tx, stops, id))
    if (!stop || illegalCan.push(stop.state) === undefined) return
    const outcome = await sentTo(stop).catch((error: Error) => ({ error: error.message.slice(0, ERROR_MAX) }))
    await house.writing(enterprise, pushTask.name, async (tx) => {
      const found = await lockRow(tx, stops, { id })
      if (illegalCan.push(found.state) === undefined) return
      if ('error' in outcome) await setStop(tx, found, { pushError: outcome.error }, at)
      else await moveTo(tx, found, 'push', { policeNo: outcome.policeNo, pushError: null }, at)
    })
  },
}
const ERROR_MAX = 300
const OK = 200
async function sentTo({
  illegalNo,
  type,
  plateNo,
  plateColor,
  place,
  firstAt,
  lastAt,
  images,
}: Illegal): Promise<{ policeNo: string } | { error: string }> {
  if (!police.url) return { error: Said.noPolice }
  const { status: http, text } = await askOutside(police.url, {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ illegalNo, type, plateNo, plateColor, place, firstAt, lastAt, images }),
  })
  if (http !== OK) return { error: Said.policeSaid({ status: http }) }
  const { policeNo } = JSON.parse(text) as { policeNo?: string }
  return policeNo ? { policeNo: policeNo.slice(0, 64) } : { error: Said.noPoliceNumber }
}
export const tasks: Task[] = [pushTask]
