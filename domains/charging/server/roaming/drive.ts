import type { CodeOf, Instant } from '../../../../platform/contract/field.ts'
import { instantAt, msOf } from '../../../../platform/contract/time.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import type { House } from '../../../../platform/server/domain.ts'
import { longTask, type Task } from '../../../../platform/server/job/jobs.ts'
import type { Log } from '../../../../platform/server/log.ts'
import { Refusal, refusal } from '../../../../platform/server/refusal.ts'
import { Doubt } from '../../contract/roaming.ts'
import { momentOf } from '../../contract/roamingBill.ts'
import { ChargeStatus, StopReason } from '../../contract/session.ts'
import { partnerOf } from '../partner.ts'
import { asked as keepAsked } from '../partnerPush.ts'
import { theOperators, type TheirProgress, type Told } from '../partnerWire.ts'
import {
  begin,
  canMove,
  change,
  fail,
  lockRoaming,
  moveRoaming,
  openGun,
  openRoaming,
  progressed,
  type RoamingCharge,
  type RoamingWish,
} from './charge.ts'
import { keepPrices } from './guns.ts'
import { Why } from '../../contract/why.ts'

const Silent = refusal('charging.roaming-silent', 41348, '对方平台没有应答，请稍后再试', 'The partner platform did not answer: try again later', 503)
const Unplugged = refusal('charging.roaming-unplugged', 41349, '请先插好充电枪', 'Plug the connector into the car first', 422)
const NotNow = refusal(
  'charging.roaming-not-now',
  41369,
  '对方平台校验未通过，该充电枪暂时不能充电，请换一把充电枪或稍后再试',
  'The partner platform’s check failed, so this connector cannot charge now: try another connector, or try again later',
  422,
)
const NoPrices = refusal(
  'charging.roaming-no-prices',
  41339,
  '对方没有给出电价，不能启动；请选择其他充电站',
  'The partner gave no prices, so nothing is started: choose another station',
  422,
)

type Write = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
/**
 * Asks a partner to begin: may this gun charge, what does it cost, and then, with the driver's money set aside, the start. No transaction waits for an answer. Where nobody knows whether the start was heard the charge stays as
 * it is, with its money, until the partner says so or is asked.
 */
export async function startRoaming(write: Write, log: Log, wish: Omit<RoamingWish, 'prices' | 'at'>): Promise<string> {
  const { platformId, connectorId } = wish
  // A partner is asked of its own guns only, and not while it is stopped.
  const partner = await write(async (tx) => (await openGun(tx, platformId, connectorId), partnerOf(tx, platformId)))
  const operators = theOperators()
  const may = await operators.mayStart(partner, connectorId)
  if (!may.ok) {
    log.warn({ platformId, connectorId, said: may.said }, 'A partner did not say whether a gun may charge.')
    throw may.reached ? NotNow() : Silent()
  }
  if (may.value === 'unplugged') throw Unplugged()
  if (may.value === 'no') throw NotNow()
  const prices = await operators.prices(partner, connectorId)
  if (!prices.ok) throw prices.reached ? NoPrices() : Silent()
  if (prices.value.length === 0) throw NoPrices()
  const opened = await write(async (tx) => {
    const at = instantAt(Date.now())
    await keepPrices(tx, platformId, connectorId, prices.value, at)
    return openRoaming(tx, { ...wish, prices: prices.value, at })
  })
  const told = await operators.start(partner, opened.startChargeSeq, connectorId)
  await write((tx) => startAnswered(tx, opened.id, told))
  return opened.id
}

type Started = Awaited<ReturnType<ReturnType<typeof theOperators>['start']>>
/** The partner may have told more of it already than it answers now. */
async function startAnswered(tx: Tx, id: string, told: Started): Promise<void> {
  const at = instantAt(Date.now())
  const charge = await lockRoaming(tx, id)
  await noteAsked(tx, charge, 'query_start_charge', told, at)
  const no = told.ok ? !told.value.accepted && Why.partnerRefused : told.reached && told.said
  if (no !== false) return void (charge.startTime === null && canMove(charge, 'fail') && (await fail(tx, charge, no, at)))
  if (charge.status === ChargeStatus.waiting) await moveRoaming(tx, charge, 'accept', { askedAt: at }, at)
}
const noteAsked = (tx: Tx, { platformId, connectorId, orderNo, startChargeSeq }: RoamingCharge, name: string, told: Told<unknown>, at: Instant) =>
  keepAsked(
    tx,
    { platformId, name, connectorId, orderNo, data: { StartChargeSeq: startChargeSeq, ConnectorID: connectorId } },
    { ok: told.ok, said: told.ok ? JSON.stringify(told.value) : told.said },
    at,
  )

/** Wishes a charge to end, and asks the partner for it. One that has not begun is called off by the same question. */
export async function stopRoaming(write: Write, id: string, reason: number, note: string | null = null): Promise<void> {
  const asked = await write(async (tx) => {
    const charge = await lockRoaming(tx, id)
    if (charge.status === ChargeStatus.stopping) return charge
    const at = instantAt(Date.now())
    return moveRoaming(tx, charge, 'stop', { stopReason: reason as CodeOf<typeof StopReason>, askedAt: at, ...(note && { failReason: note }) }, at)
  })
  await askStop(write, asked)
}
async function askStop(write: Write, { id, platformId, startChargeSeq, connectorId }: RoamingCharge): Promise<void> {
  const partner = await write((tx) => partnerOf(tx, platformId))
  const told = await theOperators().stop(partner, startChargeSeq, connectorId)
  await write(async (tx) => {
    const at = instantAt(Date.now())
    const charge = await change(tx, await lockRoaming(tx, id), { askedAt: at }, at)
    await noteAsked(tx, charge, 'query_stop_charge', told, at)
    if (charge.status !== ChargeStatus.stopping) return
    if (told.ok && (told.value.over || told.value.stage === 'ended')) await moveRoaming(tx, charge, 'end', { endTime: charge.endTime ?? at }, at)
    // It knows of no such charge: its start never came there.
    else if (isUnknown(told) && charge.startTime === null && msOf(at) - msOf(charge.createdAt) > GIVEN_UP_MS)
      await fail(tx, charge, Why.partnerDidNot, at)
  })
}

const isUnknown = (told: Awaited<ReturnType<ReturnType<typeof theOperators>['stop']>>) => (told.ok ? !told.value.accepted : told.reached)

/** A start that nobody confirmed is asked for after so long, and given up after so long. */
const UNCONFIRMED_MS = 60_000
const GIVEN_UP_MS = 180_000
/** A charge that nothing was heard of for so long is asked for; a stop is asked for again after so long. */
const UNHEARD_MS = 120_000
const STOP_AGAIN_MS = 60_000
/** A bill that has not come this long after the end is a person's to ask for, and so is a charge that was not heard of for so long. */
const NO_BILL_MS = 24 * 3_600_000

interface Due {
  id: string
  platformId: string
  what: 'ask' | 'stop' | 'noBill'
}
/** What is to be done about charges at partners by now. */
export const dueRoamings = (tx: Tx, at: Instant): Promise<Due[]> => {
  const ago = (ms: number) => instantAt(msOf(at) - ms)
  return run<Due>(tx, { sql: DUE }, [ago(UNCONFIRMED_MS), ago(UNHEARD_MS), ago(STOP_AGAIN_MS), ago(NO_BILL_MS)])
}
const DUE = `select id, platform_id, case when status = ${ChargeStatus.billing} or greatest(said_at, start_time, created_at) < $4 then 'noBill' when status = ${ChargeStatus.stopping} then 'stop' else 'ask' end as what
  from charging.roaming where enterprise_id = scope_enterprise() and (status in (${ChargeStatus.waiting}, ${ChargeStatus.starting}) and greatest(created_at, asked_at) < $1
    or status = ${ChargeStatus.charging} and greatest(said_at, asked_at, start_time) < $2 or status = ${ChargeStatus.stopping} and asked_at < $3
    or status = ${ChargeStatus.billing} and coalesce(end_time, updated_at) < $4) order by created_at limit 200`

/** One that is due: the partner is asked, and what it says is believed. */
export async function seeTo(write: Write, { id, what }: Due): Promise<void> {
  const charge = await write((tx) => lockRoaming(tx, id))
  if (what === 'stop') return askStop(write, charge)
  if (what === 'noBill')
    return write(async (tx) => {
      const still = await lockRoaming(tx, id)
      if (canMove(still, 'doubt') && still.status !== ChargeStatus.abnormal)
        await moveRoaming(tx, still, 'doubt', { doubts: [Doubt.noBill] }, instantAt(Date.now()))
    })
  const partner = await write((tx) => partnerOf(tx, charge.platformId))
  const told = await theOperators().progress(partner, charge.startChargeSeq)
  const { short } = await write((tx) => progressAnswered(tx, id, told))
  if (short) await stopRoaming(write, id, StopReason.outOfMoney)
}
async function progressAnswered(tx: Tx, id: string, told: Told<TheirProgress>): Promise<{ short: boolean }> {
  const at = instantAt(Date.now())
  const charge = await change(tx, await lockRoaming(tx, id), { askedAt: at }, at)
  const isOld = msOf(at) - msOf(charge.createdAt) > GIVEN_UP_MS
  const unbegun = charge.status === ChargeStatus.waiting || charge.status === ChargeStatus.starting
  if (!told.ok) {
    // It says that it knows of no such charge: nothing began, or it is a person's to ask what became of it.
    if (told.reached && unbegun && isOld) await fail(tx, charge, told.said, at)
    else if (told.reached && charge.status === ChargeStatus.charging) await moveRoaming(tx, charge, 'doubt', { doubts: [Doubt.unknown] }, at)
    return { short: false }
  }
  if (told.value.stage !== 'unknown' || told.value.energyWh !== null) return heardProgress(tx, charge, told.value, at)
  // It knows nothing of it, and nothing is heard.
  if (unbegun && isOld && charge.startTime === null) await fail(tx, charge, Why.partnerDidNot, at)
  return { short: false }
}
/** What a partner said of a charge, asked or not. What has ended hears no more of its course. */
export async function heardProgress(
  tx: Tx,
  charge: RoamingCharge,
  said: TheirProgress,
  at: Instant,
): Promise<{ charge: RoamingCharge; short: boolean }> {
  if (!OPEN.has(charge.status)) return { charge, short: false }
  if (neverBegan(charge, said)) return { charge: await fail(tx, charge, Why.partnerDidNot, at), short: false }
  const known = await progressed(tx, charge, said, at)
  if (said.stage === 'ended')
    return {
      charge: await moveRoaming(
        tx,
        known.charge,
        'end',
        { endTime: momentOf(said.endTime, charge, at) ?? at, startTime: known.charge.startTime ?? momentOf(said.startTime, charge, at) },
        at,
      ),
      short: false,
    }
  if (said.stage === 'charging' && canMove(charge, 'begin'))
    return { charge: (await begin(tx, known.charge, said.startTime, at)).charge, short: false }
  return known
}
/** A figure that cannot be read is not nought: then its bill says what it was. */
const neverBegan = ({ startTime }: RoamingCharge, { stage, energyWh, ...said }: TheirProgress) =>
  stage === 'ended' && startTime === null && (energyWh === 0 || (energyWh === null && said.startTime === null))
const OPEN: ReadonlySet<number> = new Set([ChargeStatus.waiting, ChargeStatus.starting, ChargeStatus.charging, ChargeStatus.stopping])

/** A charge whose money is nearly used up, or that began when nothing waited for it, is stopped once what told it is kept. */
export const stopTask: Task<{ id: string; reason: number }> = longTask<{ id: string; reason: number }>(
  'charging.roaming-stop',
  async ({ enterprise, data: { id, reason }, house }) => {
    await stopRoaming(writingIn(house, enterprise, 'charging.roaming-stop'), id, reason).catch(ended)
  },
)
/** It has ended meanwhile, or the partner cannot be reached: the sweep goes on. */
function ended(error: unknown): void {
  if (!(error instanceof Refusal)) throw error
}
const writingIn =
  (house: House, enterprise: number, via: string): Write =>
  (work) =>
    house.writing(enterprise, via, work)

async function seeToEach(write: Write, log: Log, all: readonly Due[]): Promise<void> {
  for (const one of all)
    await seeTo(write, one).catch((error: Error) => log.warn({ err: error, roaming: one.id }, 'A session at a partner could not be looked after.'))
}
/** Every minute: starts that nobody confirmed, charges that nothing is heard of, stops that came to nothing, bills that did not come. */
export const sweepRoaming: Task = {
  ...longTask('charging.roaming-sweep', async ({ enterprise, house }) => {
    const write = writingIn(house, enterprise, 'charging.roaming-sweep')
    const due = await write((tx) => dueRoamings(tx, instantAt(Date.now())))
    // One after the other at a partner; a partner that is silent holds up no other.
    await Promise.all([...Map.groupBy(due, ({ platformId }) => platformId).values()].map((ofOne) => seeToEach(write, house.log, ofOne)))
  }),
  every: '* * * * *',
}
