import {
  billed,
  type Charge,
  chargeMoved,
  checkAnswered,
  checkOf,
  checkWanted,
  ChargeStatus,
  connectorChanged,
  disputed,
  gunsShown,
  letterAnew,
  letterTaken,
  type Moved,
  openGuns,
  hasPartners,
  partnersAt,
  partnersCharge,
  postLatest,
  post,
  progressOf,
} from '../../domains/charging/server/api.ts'
import { BillKind } from '../../domains/charging/contract/money.ts'
import type { Instant } from '../../platform/contract/field.ts'
import { instantAt, msOf } from '../../platform/contract/time.ts'
import type { Tx } from '../../platform/server/database.ts'
import { on } from '../../platform/server/events.ts'
import { addJob, type Task, task } from '../../platform/server/job/jobs.ts'
import { checkWire, gunWire, orderWire, progressWire, startResultWire, stopResultWire, theirCharges } from './wire.ts'

/** The standard asks for the progress of a charge about every fifty seconds. */
const PROGRESS_MS = 50_000

/** Notifies partners unasked: of the states of guns open to them, and of their own charges from the start to the bill. */
export function writeLetters(): Task[] {
  on(connectorChanged, 'tcec102', ({ tx, data: { connectorId }, at }) => tellState(tx, connectorId, at))
  on(
    gunsShown,
    'tcec102',
    async ({ tx, data: { connectorIds }, at }) => {
      for (const connectorId of connectorIds) await tellState(tx, connectorId, at)
    },
    { when: (_, tx) => hasPartners(tx) },
  )
  const toPartner = { when: ({ platformId }: Moved) => platformId !== null }
  on(
    chargeMoved,
    'tcec102',
    async ({ tx, data: { orderNo, status }, at }) => {
      const charge = await partnersCharge(tx, orderNo)
      if (charge) await tellMove(tx, charge, status, at)
    },
    toPartner,
  )
  const ofCharge = { when: ({ kind }: { kind: number }) => kind === BillKind.charge }
  on(
    billed,
    'tcec102',
    async ({ tx, data: { orderNo }, at }) => {
      const charge = await partnersCharge(tx, orderNo)
      if (charge) await post(tx, { ...about(charge), name: ORDER, data: orderWire(await progressOf(tx, charge)) }, at)
    },
    ofCharge,
  )
  on(checkWanted, 'tcec102', ({ tx, data: { checkId }, at }) => askCharges(tx, checkId, at))
  letterTaken.answer('tcec102', async (tx, { platformId, name, said, data, at }) => {
    const told = JSON.parse(said) as Record<string, unknown>
    if (name === CHECK) await checkAnswered(tx, String(told['CheckOrderSeq']), theirCharges(data['DisputeOrders']), at)
    if (name === ORDER && Number(data['ConfirmResult']) === DISPUTED) await disputed(tx, platformId, String(told['StartChargeSeq']), at)
    return undefined
  })
  letterAnew.answer('tcec102', async (tx, { platformId, name, connectorId, orderNo }) => {
    if (name === STATE) return { data: await stateOf(tx, platformId, connectorId!) }
    if (name !== PROGRESS) return undefined
    const charge = await partnersCharge(tx, orderNo!)
    return { data: charge && isRunning(charge) ? progressWire(await progressOf(tx, charge)) : null }
  })
  return [progressTask]
}
const STATE = 'notification_stationStatus'
const PROGRESS = 'notification_equip_charge_status'
const ORDER = 'notification_charge_order_info'
const CHECK = 'check_charge_orders'
const DISPUTED = 1

async function askCharges(tx: Tx, checkId: string, at: Instant): Promise<void> {
  const asked = await checkOf(tx, checkId)
  if (asked) await post(tx, { platformId: asked.check.platformId, name: CHECK, data: checkWire(asked.check, asked.charges) }, at)
}

async function tellState(tx: Tx, connectorId: string, at: Instant): Promise<void> {
  for (const platformId of await partnersAt(tx, connectorId)) {
    const data = await stateOf(tx, platformId, connectorId)
    if (data) await postLatest(tx, { platformId, name: STATE, connectorId, data }, at)
  }
}
/** None: it is not open to this partner. */
async function stateOf(tx: Tx, platformId: string, connectorId: string): Promise<object | null> {
  const [gun] = await openGuns(tx, platformId, { connectorId })
  return gun ? { ConnectorStatusInfo: gunWire(gun) } : null
}

type Theirs = Charge & { platformId: string }
const about = ({ platformId, connectorId, orderNo }: Theirs) => ({ platformId, connectorId, orderNo })
/** The event says what the charge became; by now it may have gone on. */
async function tellMove(tx: Tx, charge: Theirs, status: number, at: Instant): Promise<void> {
  const became = { ...charge, status } as Theirs
  if (status === ChargeStatus.charging || status === ChargeStatus.failed || status === ChargeStatus.cancelled)
    await post(tx, { ...about(charge), name: 'notification_start_charge_result', data: startResultWire(became) }, at)
  if (status === ChargeStatus.charging) await nextProgress(tx, charge.orderNo, at)
  if (status === ChargeStatus.billing) await post(tx, { ...about(charge), name: 'notification_stop_charge_result', data: stopResultWire(became) }, at)
}

const nextProgress = (tx: Tx, orderNo: string, at: Instant) =>
  addJob(tx, progressTask, { orderNo }, { runAt: instantAt(msOf(at) + PROGRESS_MS), key: `${progressTask.name}:${orderNo}` })
const isRunning = ({ status }: Theirs) => status === ChargeStatus.charging || status === ChargeStatus.stopping
/** As long as it charges. */
const progressTask: Task<{ orderNo: string }> = task('tcec102.progress', async ({ tx, data: { orderNo }, at }) => {
  const charge = await partnersCharge(tx, orderNo)
  if (!charge || !isRunning(charge)) return
  await postLatest(tx, { ...about(charge), name: PROGRESS, data: progressWire(await progressOf(tx, charge)) }, at)
  await nextProgress(tx, orderNo, at)
})
