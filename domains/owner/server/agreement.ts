import type { Instant, Of } from '../../../platform/contract/field.ts'
import { MINUTE_MS, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { addJob, longTask, task } from '../../../platform/server/job/jobs.ts'
import { listOver } from '../../../platform/server/page.ts'
import { searchOf } from '../../../platform/contract/call.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, setRow } from '../../../platform/server/row.ts'
import { type PhasedContext, phased } from '../../../platform/server/serve.ts'
import type { Waits } from '../../arrears/server/api.ts'
import { CHANNELS, methodOf, type PayMethodCode } from '../../settlement/contract/payment.ts'
import { type AgreementNews, agreementsOf, debitByContract, debitsAt, type OrderRow } from '../../settlement/server/api.ts'
import { OwnerStatus } from '../contract/account.ts'
import { Agreement, AgreementState } from '../contract/agreement.ts'
import { VerifyState } from '../contract/car.ts'
import type { mine } from '../contract/mine.ts'
import { lockMine, type Named, NotVerified, shown } from './mineCars.ts'
import { refuseWay } from './mineMoney.ts'
import { IS_THE_CAR } from './spend.ts'

const SignedAlready = refusal(
  'owner.debit-signed',
  41577,
  '该车已开通免密支付，请先关闭再重新开通',
  'Automatic payment is already on for this car: turn it off first',
)
const agreements = listOver(Agreement, 'owner.agreement', searchOf(Agreement, {}, { sort: ['createdAt'] }))
type AgreementRow = Of<typeof Agreement>
/** A driver who has not signed by then does not any more. */
const SIGN_WITHIN_MS = 30 * MINUTE_MS

/** The address where the driver signs; pressed again, it is the same agreement. An agreement begun at the other channel is given up. */
export const sign = phased(async ({ input: { payMethod, ...named }, actor, at, write, house }: PhasedContext<Of<typeof mine.sign.input>>) => {
  refuseWay(payMethod)
  const channel = CHANNELS[payMethod]
  const { sign: offer } = agreementsOf(channel)
  const { id, contractNo, plateNo } = await write((tx) => begin(tx, actor.userId, named, payMethod, at))
  return offer({ merchant: actor.enterprise, channel, contractNo, plateNo }).catch(async (error: Error) => {
    // It may have been signed there, and nobody told us.
    await bringAgreement.alone!({ enterprise: actor.enterprise, data: { id }, at, house })
    throw (await write((tx) => lockRow(tx, agreements, { id }))).state === AgreementState.signed ? SignedAlready() : error
  })
})
async function begin(
  tx: Tx,
  ownerId: string,
  named: Named,
  payMethod: PayMethodCode,
  at: Instant,
): Promise<Pick<AgreementRow, 'id' | 'contractNo'> & { plateNo: string }> {
  const { id: carId, plateNo, verifyState } = await lockMine(tx, ownerId, named)
  if (verifyState !== VerifyState.verified) throw NotVerified()
  const open = await lockOpen(tx, carId)
  if (open?.state === AgreementState.signed) throw SignedAlready()
  if (open?.payMethod === payMethod) return { id: open.id, contractNo: open.contractNo, plateNo }
  if (open) await endOne(tx, open, at)
  const { id, contractNo } = await addRow(tx, agreements, { carId, payMethod })
  return { id, contractNo, plateNo }
}

/** Ends an agreement: nothing more is taken from now on; the channel is told a moment later. */
export async function unsign(tx: Tx, ownerId: string, named: Named, at: Instant) {
  const open = await lockOpen(tx, (await lockMine(tx, ownerId, named)).id)
  if (open) await endOne(tx, open, at)
  return shown(tx, ownerId, named.id)
}
async function endOne(tx: Tx, open: AgreementRow, at: Instant): Promise<void> {
  await setRow(tx, agreements, open, { state: AgreementState.ending, endedAt: null }, at)
  await askToBring(tx, open.id)
}
async function lockOpen(tx: Tx, carId: string): Promise<AgreementRow | undefined> {
  const [open] = await run<{ id: AgreementRow['id'] }>(tx, { sql: OPEN }, [carId])
  return open && lockRow(tx, agreements, open)
}
const IS_OPEN = `state in (${AgreementState.waiting}, ${AgreementState.signed})`
const OPEN = `select id from owner.agreement where enterprise_id = scope_enterprise() and car_id = $1 and ${IS_OPEN} for update`

/** The answer to `settlement.agreementTold`. Signed after the driver thought better of it, it is ended at the channel too. */
export async function hearAgreement(
  tx: Tx,
  { contractNo, channel, agreementNo, inForce, at }: AgreementNews,
): Promise<'signed' | 'ended' | 'repeat' | undefined> {
  const [named] = await run<{ id: AgreementRow['id'] }>(tx, { sql: BY_NUMBER }, [contractNo, methodOf(channel)])
  if (!named) return undefined
  const found = await lockRow(tx, agreements, named)
  if (!inForce) {
    if (found.state === AgreementState.ended) return 'repeat'
    await setRow(tx, agreements, found, { state: AgreementState.ended, endedAt: at }, at)
    return 'ended'
  }
  if (found.state === AgreementState.ended) await endOne(tx, found, at)
  if (found.state !== AgreementState.waiting) return 'repeat'
  await setRow(tx, agreements, found, { state: AgreementState.signed, agreementNo, signedAt: at }, at)
  return 'signed'
}
const BY_NUMBER = 'select id from owner.agreement where enterprise_id = scope_enterprise() and contract_no = $1 and pay_method = $2'

/** The answer to `arrears.paysLast`: neither an account nor the antenna has paid, and the car's driver has signed. */
export const payByContract = async (tx: Tx, { orderId, at }: Waits): Promise<true | undefined> =>
  (await debitByContract(tx, orderId, at)) || undefined
type Agreed = Pick<AgreementRow, 'contractNo' | 'payMethod'>
/** The answer to `settlement.debitAgreed`. */
export const agreedFor = async (tx: Tx, { plateNo, plateColor }: Pick<OrderRow, 'plateNo' | 'plateColor'>): Promise<Agreed | undefined> =>
  (await run<Agreed>(tx, { sql: OF_CAR }, [plateNo, plateColor]))[0]
const OF_CAR = `select g.contract_no, g.pay_method from owner.car r join owner.agreement g on g.enterprise_id = r.enterprise_id and g.car_id = r.id and g.state = ${AgreementState.signed}
    join owner.account a on a.enterprise_id = r.enterprise_id and a.id = r.owner_id and a.status = ${OwnerStatus.normal}
  where r.enterprise_id = scope_enterprise() and r.plate_no = $1 and ${IS_THE_CAR}`

/** Brings an agreement and its channel to the same: missing news is asked for, an agreement that is to end is ended there. The wait lies between two short transactions. */
export const bringAgreement = longTask<{ id: AgreementRow['id'] }>('owner.agreement', async ({ enterprise: merchant, data: { id }, at, house }) => {
  const [found] = await house.reading(merchant, (own) => run<AgreementRow>(own, { sql: ONE }, [id]))
  if (!found) return
  const { contractNo, payMethod, state, createdAt } = found
  const channel = CHANNELS[payMethod]
  // Until one is set up again it stays as it is.
  if (!debitsAt(channel)) return
  const about = { contractNo, channel, at }
  const told = (inForce: boolean, agreementNo: string | null = null) =>
    house.writing(merchant, bringAgreement.name, (own) => hearAgreement(own, { ...about, agreementNo, inForce }))
  if (state === AgreementState.ending) {
    await agreementsOf(channel).end({ merchant, contractNo })
    await told(false)
  }
  if (state !== AgreementState.waiting) return
  const there = await agreementsOf(channel).query({ merchant, contractNo })
  if (there.state === 'signed') await told(true, there.agreementNo ?? null)
  else if (there.state === 'ended') await told(false)
  else if (msOf(at) - msOf(createdAt) > SIGN_WITHIN_MS) await house.writing(merchant, bringAgreement.name, async (own) => giveUp(own, id, at))
})
const ONE = 'select id, contract_no, pay_method, state, created_at from owner.agreement where enterprise_id = scope_enterprise() and id = $1'
async function giveUp(tx: Tx, id: AgreementRow['id'], at: Instant): Promise<void> {
  const found = await lockRow(tx, agreements, { id })
  if (found.state === AgreementState.waiting) await endOne(tx, found, at)
}
const askToBring = (tx: Tx, id: AgreementRow['id']) => addJob(tx, bringAgreement, { id }, { key: `${bringAgreement.name}:${id}` })

/**
 * Once a minute: an owner whose car is no longer verified as theirs loses its agreement, and agreements that wait for their channel are taken up again, the last asked for at
 * the end.
 */
const ROUND_MAX = 200
export const lookAtAgreements = task(
  'owner.agreements',
  async ({ tx, at }) => {
    for (const which of [ORPHANED, UNFINISHED])
      for (const { id } of await run<{ id: AgreementRow['id'] }>(tx, { sql: which }, [at])) await askToBring(tx, id)
  },
  { every: '* * * * *' },
)
/**
 * None is written by both: a row that is written twice takes a share of the car that it names, which its driver holds who waits for the row. A row that somebody holds just now
 * is left to the next round.
 */
const TAKEN_UP = `order by g.updated_at limit ${ROUND_MAX} for update of g skip locked`
const ORPHANED = `update owner.agreement set state = ${AgreementState.ending}, version = version + 1, updated_at = $1 where enterprise_id = scope_enterprise() and id = any (array (
    select g.id from owner.agreement g join owner.car c on c.enterprise_id = g.enterprise_id and c.id = g.car_id and c.verify_state <> ${VerifyState.verified}
    where g.enterprise_id = scope_enterprise() and g.${IS_OPEN} ${TAKEN_UP})) returning id`
const UNFINISHED = `update owner.agreement set updated_at = $1 where enterprise_id = scope_enterprise() and id = any (array (
    select g.id from owner.agreement g where g.enterprise_id = scope_enterprise() and g.updated_at < $1
      and (g.state = ${AgreementState.ending} or g.state = ${AgreementState.waiting} and g.updated_at < $1::timestamptz - interval '30 seconds') ${TAKEN_UP})) returning id`
