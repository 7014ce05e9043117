import type { Instant, Of } from '../../../platform/contract/field.ts'
import { cityTime, instantAt, MINUTE_MS, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { task } from '../../../platform/server/job/jobs.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { BadInput, IllegalMove, refusal } from '../../../platform/server/refusal.ts'
import { lockRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { CONTEST_HOURS, LATE_HOURS, Verification, verification, verificationSearch, verifyCan, VerifyState } from '../contract/car.ts'
import { type CarRow, cars } from './car.ts'
import './tables.ts'
import { Said } from '../contract/said.ts'

const HOUR_MS = 60 * MINUTE_MS
const SameReviewer = refusal(
  'owner.same-reviewer',
  41530,
  '初审人不能复核，请由另一人处理',
  'The first reviewer cannot decide: another person must',
  422,
)
const StillWaits = refusal(
  'owner.claim-waits',
  41531,
  '现认证车主可在 {dueAt} 前提出异议，尚不能决定',
  'The verified owner can object until {dueAt}: decide after that',
  422,
)
export const NotClaimed = refusal(
  'owner.not-claimed',
  41532,
  '该申请没有等待异议，或等待期已过',
  'This request is not, or no longer, open to an objection',
)

const WhyRejected = refusal('owner.why-rejected', 41533, '驳回须填写审核意见', 'Enter the reason for rejecting', 422)
const NothingShown = refusal(
  'owner.plate-unproved',
  41534,
  '车主尚未上传行驶证，本手机号也没有该车的月卡，不能通过：请等车主在手机上补传；已驳回的，由车主附行驶证申诉',
  'The owner has sent no picture of the licence, and this phone has no pass for the plate: wait for the licence; once rejected, the owner appeals with it',
  422,
)

const verifications = listOver(Verification, 'owner.boundCar', verificationSearch)
type Person = { userId: string; userName: string }
type Verdict = Of<typeof verification.update.input>

export const calls = serve(verification, {
  query({ tx, input: { late, ...input }, at }) {
    if (!late) return page(tx, verifications, input)
    const before = instantAt(msOf(at) - LATE_HOURS * HOUR_MS)
    const { appliedAtTo, verifyState } = input
    return page(tx, verifications, {
      ...input,
      appliedAtTo: appliedAtTo && appliedAtTo < before ? appliedAtTo : before,
      verifyState: verifyState ?? [VerifyState.waiting, VerifyState.appealed],
    })
  },
  async update({ tx, input, actor, at }) {
    if (input.verifyState !== VerifyState.verified && input.verifyState !== VerifyState.rejected)
      throw BadInput({ zh: '只能通过或驳回', en: 'a review can only approve or reject' })
    const found = await lockClaim(tx, input)
    refuseUnreasoned(found, input)
    await (found.verifyState === VerifyState.appealed ? decide : review)(tx, found, input, actor, at)
    return verificationOf(tx, found.id)
  },
  async appeal({ tx, input, at }) {
    const found = await appealFor(tx, await lockRow(tx, cars, input), input, at)
    return verificationOf(tx, found.id)
  },
  async contest({ tx, input, at }) {
    const found = await contestFor(tx, await lockRow(tx, cars, input), input.reason, at)
    return verificationOf(tx, found.id)
  },
})

/** An owner who may see a car's bills and places has shown evidence for it; a refused one is told why. @throws NothingShown, WhyRejected */
function refuseUnreasoned({ proof, images, appealImages }: CarRow, { verifyState, verdict }: Verdict): void {
  if (verifyState === VerifyState.rejected && !verdict) throw WhyRejected()
  if (verifyState === VerifyState.verified && proof === null && !images && !appealImages) throw NothingShown()
}
/** A rejected request is looked at once more, by somebody else. @throws IllegalMove */
export function appealFor(
  tx: Tx,
  found: CarRow,
  { reason, images = null }: { reason: string; images?: string | null | undefined },
  at: Instant,
): Promise<CarRow> {
  if (verifyCan.appeal(found.verifyState) === undefined) throw IllegalMove({ verifyState: found.verifyState })
  return setRow(tx, cars, found, { verifyState: VerifyState.appealed, appeal: reason, appealImages: images, appealedAt: at, appliedAt: at }, at)
}
/** The owner of the plate objects to a claim on it within its time: from then on a person decides. @throws NotClaimed */
export function contestFor(tx: Tx, claim: CarRow, reason: string, at: Instant): Promise<CarRow> {
  if (claim.verifyState !== VerifyState.appealed || !claim.dueAt || claim.contestedAt || msOf(claim.dueAt) <= msOf(at)) throw NotClaimed()
  return setRow(tx, cars, claim, { contest: reason, contestedAt: at }, at)
}
const verificationOf = async (tx: Tx, id: string) => (await find(tx, verifications, id))!
/** Locks the claim and the plate's owner in one order, whichever of two claims comes first. */
async function lockClaim(tx: Tx, { id, version }: Pick<Verdict, 'id' | 'version'>): Promise<CarRow> {
  await run(tx, { sql: LOCK_BOTH }, [id])
  return lockRow(tx, cars, { id, version })
}
const LOCK_BOTH = `select c.id from owner.car c join owner.car m on m.enterprise_id = c.enterprise_id and m.plate_no = c.plate_no and m.plate_color = c.plate_color
  where c.enterprise_id = scope_enterprise() and m.id = $1 order by c.id for update of c`
const holderOf = async (tx: Tx, { id, plateNo, plateColor }: CarRow): Promise<CarRow | undefined> => {
  const [held] = await run<{ id: string }>(tx, { sql: HOLDER }, [plateNo, plateColor, id])
  return held && lockRow(tx, cars, held)
}
const HOLDER = `select id from owner.car where enterprise_id = scope_enterprise() and plate_no = $1 and plate_color = $2 and verify_state = ${VerifyState.verified} and id <> $3`

/** 0 → 1 or 2. A plate verified for another owner is only claimed by it: they have 72 hours to object. */
async function review(tx: Tx, found: CarRow, { verifyState, verdict }: Verdict, { userId, userName }: Person, at: Instant): Promise<void> {
  const pass = verifyState === VerifyState.verified
  if ((pass ? verifyCan.approve : verifyCan.reject)(found.verifyState) === undefined) throw IllegalMove({ verifyState: found.verifyState })
  const by = { verifierId: userId as CarRow['verifierId'], verifierName: userName, verifiedAt: at, verdict: verdict ?? null }
  const holder = pass ? await holderOf(tx, found) : undefined
  await setRow(tx, cars, found, holder ? { ...by, ...claimOn(holder, at) } : { ...by, verifyState }, at)
}
const claimOn = ({ id }: CarRow, at: Instant) => ({
  verifyState: VerifyState.appealed,
  rivalId: id,
  dueAt: instantAt(msOf(at) + CONTEST_HOURS * HOUR_MS),
  contest: null,
  contestedAt: null,
})

/** 3 → 1 or 2, by another than who reviewed it. An appeal that is granted against somebody's plate is a claim first; a claim is decided once they have objected. */
async function decide(tx: Tx, found: CarRow, { verifyState, verdict }: Verdict, { userId, userName }: Person, at: Instant): Promise<void> {
  if (found.verifierId === (userId as string)) throw SameReviewer()
  const waits = found.dueAt !== null && !found.contestedAt
  if (waits) throw StillWaits({ dueAt: cityTime(found.dueAt!) })
  const holder = verifyState === VerifyState.verified ? await holderOf(tx, found) : undefined
  if (holder && !found.contestedAt) return void (await setRow(tx, cars, found, { ...claimOn(holder, at), verdict: verdict ?? null }, at))
  if (holder) await giveUp(tx, holder, at)
  await setRow(
    tx,
    cars,
    found,
    {
      verifyState,
      verdict: verdict ?? null,
      deciderId: userId as CarRow['deciderId'],
      deciderName: userName,
      decidedAt: at,
      ...(verifyState === VerifyState.verified && { rivalId: null }),
    },
    at,
  )
}
const giveUp = (tx: Tx, holder: CarRow, at: Instant) =>
  setRow(
    tx,
    cars,
    holder,
    { verifyState: VerifyState.unbound, slot: null, autoDebit: false, isDefault: false, unboundAt: at, unbindReason: Said.verifiedElsewhere },
    at,
  )

/** Claims whose 72 hours are over without a word: the plate goes over. Who had unbound it meanwhile left it to them all the same. */
export async function passOver(tx: Tx, at: Instant): Promise<void> {
  const due = await run<{ id: CarRow['id']; version: number }>(tx, { sql: DUE }, [at])
  for (const one of due) {
    const found = await lockClaim(tx, one)
    const holder = await holderOf(tx, found)
    if (holder) await giveUp(tx, holder, at)
    await setRow(tx, cars, found, { verifyState: VerifyState.verified, rivalId: null, decidedAt: at }, at)
  }
}
const DUE = `select id, version from owner.car where enterprise_id = scope_enterprise() and verify_state = ${VerifyState.appealed} and rival_id is not null and contested_at is null and due_at <= $1 order by due_at limit 200`
export const claims = task('owner.claims', ({ tx, at }) => passOver(tx, at), { every: '* * * * *' })
