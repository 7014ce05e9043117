import type { Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { page } from '../../../platform/server/page.ts'
import { IllegalMove, refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, removeRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import type { Merging } from '../../owner/server/api.ts'
import { Attestation, bidder, UserType, Verdict } from '../contract/bidder.ts'
import { Award, EnrollState } from '../contract/enrollment.ts'
import { RentState } from '../contract/project.ts'
import { type BidderRow, bidders, type Person } from './row.ts'

const Enrolled = refusal(
  'rent.bidder-enrolled',
  42400,
  '竞租人「{name}」有报名记录，不能删除；可停用',
  'Bidder “{name}” has enrolments and cannot be deleted: disable the bidder instead',
)
export const OwnWork = refusal(
  'rent.own-work',
  42401,
  '经办人不能审核自己经办的事项，请由另一人办理',
  'You cannot review what you submitted yourself: ask another person to do it',
  422,
)
export const WhyRejected = refusal('rent.why-rejected', 42402, '驳回须填写意见', 'Enter the reason for rejecting', 422)
const AnotherAccount = refusal(
  'rent.another-account',
  42403,
  '该证件号已由另一账户认证，请联系出租方核实',
  'This ID number is already verified for another account: contact the lessor',
  422,
)
const HasEnrolled = refusal(
  'rent.bidder-bidding',
  42404,
  '竞租人有未结束的报名，只能更换同一证件号的资料；放弃报名或项目签约、流标后才能改用其他证件号',
  'The bidder has an open enrolment: only papers of the same ID number can be brought. Withdraw it, or use another number once the project is signed or has failed',
)
const NotAttested = refusal(
  'rent.not-attested',
  42431,
  '竞租人「{name}」未通过认证，请先完成认证',
  'Bidder “{name}” is not verified: complete the verification first',
  422,
)
const OtherPapers = refusal(
  'rent.bidder-other-papers',
  42407,
  '您的账户已登记为竞租人「{name}」，该证件号另有登记：请用原证件号，或联系出租方核实',
  'Your account is already bidder “{name}”, and this ID number is registered separately: use your own ID number, or contact the lessor',
)
const WrongNumber = refusal(
  'rent.wrong-personal-number',
  42425,
  '身份证号的校验位不符，请核对证件号',
  'The check digit of this personal number is wrong: check the number',
  422,
)
const TwoBidders = refusal(
  'rent.two-bidders',
  42405,
  '两个车主都已登记为竞租人（{keep}、{gone}），证件不同，不能合并',
  'Both owners are bidders ({keep}, {gone}) with different IDs and cannot be merged',
)

export const calls = serve(bidder, {
  query: ({ tx, input }) => page(tx, bidders, input),
  apply: ({ tx, input, actor, at }) => attest(tx, input, { by: actor, ownerId: null }, at),
  async audit({ tx, input: { id, version, state, opinion }, actor, at }) {
    const found = await lockRow(tx, bidders, { id, version })
    if (found.state !== Attestation.waiting) throw IllegalMove({ state: found.state })
    if (found.applicantId === (actor.userId as string)) throw OwnWork()
    if (state === Verdict.reject && !opinion) throw WhyRejected()
    const decided = { state, opinion: opinion ?? null, auditorId: actor.userId, auditorName: actor.userName, auditedAt: at }
    return setRow(tx, bidders, found, decided, at)
  },
  del: ({ tx, input, at }) => del(tx, input, at),
  delPost: ({ tx, input, at }) => del(tx, input, at),
})

/** A resident's number ends with a digit that the others give (GB 11643); a passport or another paper has none. */
const RESIDENT = /^\d{17}[\dX]$/
const LAST = 17
const WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
const DIGITS = '10X98765432'
const checkDigit = (number: string): string => DIGITS[WEIGHTS.reduce((sum, weight, i) => sum + weight * Number(number[i]), 0) % DIGITS.length]!

interface Asking {
  by: Person | null
  ownerId: string | null
}
/** Records a bidder's papers. A bidder known by the number is reviewed anew; the account stays with its person. */
export async function attest(
  tx: Tx,
  { certNo: typed, ...fields }: Of<typeof bidder.apply.input>,
  { by, ownerId }: Asking,
  at: Instant,
): Promise<BidderRow> {
  const certNo = typed.toUpperCase()
  if (fields.userType === UserType.person && RESIDENT.test(certNo) && certNo[LAST] !== checkDigit(certNo)) throw WrongNumber()
  const [known] = await run<{ id: string }>(tx, { sql: BY_CERT }, [certNo, ownerId])
  const asked = { ...fields, certNo, applicantId: by?.userId ?? null, applicantName: by?.userName ?? fields.name }
  if (!known) return addRow(tx, bidders, { ...asked, ownerId, createdAt: at, updatedAt: at })
  const found = await lockRow(tx, bidders, { id: known.id })
  if (ownerId !== null && found.ownerId !== null && found.ownerId !== ownerId) throw AnotherAccount()
  // An account is bound by its first attestation here, or by the reviewer; nobody takes over what another has left.
  if (ownerId !== null && found.ownerId === null && found.state === Attestation.attested) throw AnotherAccount()
  const [other] = await run<{ name: string }>(tx, { sql: OTHER }, [found.id, ownerId])
  if (other) throw OtherPapers({ name: other.name })
  // A bidder who has enrolled keeps their identity; new papers are reviewed before they go on.
  if (certNo !== found.certNo && (await run(tx, { sql: ENROLLED }, [found.id])).length > 0) throw HasEnrolled()
  const anew = { state: Attestation.waiting, opinion: null, auditorId: null, auditorName: null, auditedAt: null }
  return setRow(tx, bidders, found, { ...asked, ...anew, ...(ownerId !== null && { ownerId }) }, at)
}
const BY_CERT = `select id from rent.bidder where enterprise_id = scope_enterprise() and (cert_no = $1 or owner_id = $2) order by cert_no = $1 desc limit 1`
const OTHER = 'select name from rent.bidder where enterprise_id = scope_enterprise() and owner_id = $2 and id <> $1'
const ENROLLED = `select from rent.enrollment e join rent.project p on p.enterprise_id = e.enterprise_id and p.id = e.project_id
  where e.enterprise_id = scope_enterprise() and e.bidder_id = $1 and e.state in (${EnrollState.toPay}, ${EnrollState.waiting}, ${EnrollState.qualified}) and e.award in (${Award.none}, ${Award.won}) and p.state <= ${RentState.shown} limit 1`

export const isAttested = async (tx: Tx, bidderId: string): Promise<boolean> =>
  (await lockRow(tx, bidders, { id: bidderId })).state === Attestation.attested
/** Locks the bidder, who has to be attested to enrol, qualify, win or rent. @throws NotAttested */
export async function mustBeAttested(tx: Tx, bidderId: string): Promise<BidderRow> {
  const found = await lockRow(tx, bidders, { id: bidderId })
  if (found.state !== Attestation.attested) throw NotAttested({ name: found.name })
  return found
}

async function del(tx: Tx, { id, version }: Of<typeof bidder.del.input>, at: Instant) {
  const found = await lockRow(tx, bidders, { id, version })
  const [enrolled] = await run(tx, { sql: 'select from rent.enrollment where enterprise_id = scope_enterprise() and bidder_id = $1 limit 1' }, [id])
  if (enrolled) throw Enrolled({ name: found.name })
  await removeRow(tx, bidders, found, at)
  return {}
}

/** The answer to `owner.merged`: who bid as the owner that is gone bids as the one who remains. An account bids by one paper. */
export async function mergeBidders(tx: Tx, { keepId, goneId, keepPhone, gonePhone, dryRun, at }: Merging): Promise<undefined> {
  const held = await run<{ name: string; ownerId: string }>(tx, { sql: OF_BOTH }, [[keepId, goneId]])
  const nameOf = (id: string) => held.find(({ ownerId }) => ownerId === id)?.name
  const [keep, gone] = [nameOf(keepId), nameOf(goneId)]
  if (keep !== undefined && gone !== undefined) throw TwoBidders({ keep, gone })
  if (gone !== undefined && !dryRun) await run(tx, { sql: NOW_OF }, [keepId, goneId, at, keepPhone, gonePhone])
}
const OF_BOTH = 'select name, owner_id from rent.bidder where enterprise_id = scope_enterprise() and owner_id = any($1) order by id for update'
const NOW_OF =
  'update rent.bidder set owner_id = $1, phone = case when phone = $5 then $4 else phone end, version = version + 1, updated_at = $3 where enterprise_id = scope_enterprise() and owner_id = $2'
