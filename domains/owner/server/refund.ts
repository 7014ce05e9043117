import type { CodeOf, Fen, Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { addJob } from '../../../platform/server/job/jobs.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { BadInput, IllegalMove, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { linesAbout } from '../../ledger/server/api.ts'
import { MovementKind, NO_PARK } from '../contract/asset.ts'
import {
  PartState,
  type RefundPart,
  RefundStep,
  ReviewLevel,
  ReviewStage,
  StoredRefund,
  storedRefund,
  storedRefundCan,
  storedRefundSearch,
  reviewSearch,
  StoredRefundState,
} from '../contract/refund.ts'
import { HOLDERS, ownerOf } from './owner.ts'
import { payTask, refunds, transferred } from './paying.ts'
import { accountPurse, book, freeOf, lockPurse, TooLittle, yuanOf } from './purse.ts'
import { type Plan, planOf } from './refunding.ts'
import './tables.ts'
import { Said } from '../contract/said.ts'

const OnlyOne = refusal('owner.refund-whose', 41560, '请选择车主或储值卡其中之一', 'Choose either an owner or a card', 422)
const UnderWay = refusal(
  'owner.refund-under-way',
  41561,
  '该账户已有进行中的退款，请在「储值退款审核」中查看',
  'A refund of this account is already under way: see “Refund review”',
)
const NothingLeft = refusal(
  'owner.refund-nothing',
  41562,
  '没有可退的本金；赠送金额不退',
  'There is no principal to refund: bonus money is not refunded',
  422,
)
const NotYou = refusal(
  'owner.refund-three-persons',
  41563,
  '登记、初审、复审须为三人，您已参与该笔退款',
  'The request, first review and second review need three people: you have already taken part',
  422,
)
const NotThisLevel = refusal('owner.refund-level', 41564, '当前应进行{zh}', 'The {en} review comes next', 409)

type Row = Of<typeof StoredRefund>
type Person = { userId: string; userName: string }
export const calls = serve(storedRefund, {
  list: ({ tx, input }) => page(tx, asked, input),
  async auditList({ tx, input: { stage, ...input }, actor }) {
    const which = await run<{ id: Row['id'] }>(tx, { sql: TO_REVIEW }, [actor.userId, stage ?? null])
    return page(tx, reviewed, { ...input, id: which.length > 0 ? which.map(({ id }) => id) : [NONE] })
  },
  detail: ({ tx, input }) => detailOf(tx, input.id),
  audit: ({ tx, input, actor, at }) => review(tx, input, actor, at),
  apply: ({ tx, input, actor, at }) => askForRefund(tx, input, actor, at),
  async transfer({ tx, input, at }) {
    return askedOf(tx, await transferred(tx, input, at))
  },
})

/** The most refunds before a reviewer; older ones are in the list of all. */
const REVIEW_MAX = 200
const NONE = '00000000-0000-0000-0000-000000000000' as Row['id']
/** Refunds that the person may review: not their own, and not the second review of one that they passed first. */
const TO_REVIEW = `select id from owner.refund where enterprise_id = scope_enterprise() and applicant_id <> $1::uuid
  and case $2::smallint when ${ReviewStage.first} then state = ${StoredRefundState.waiting} when ${ReviewStage.second} then state = ${StoredRefundState.firstPassed} and first_id <> $1::uuid
    when ${ReviewStage.mine} then first_id = $1::uuid or second_id = $1::uuid
    else state in (${StoredRefundState.waiting}, ${StoredRefundState.firstPassed}) or first_id = $1::uuid or second_id = $1::uuid end order by applied_at desc limit ${REVIEW_MAX}`
/** A rejected refund pays nothing, and the rest of a failed one is free again, to be spent or requested anew: both are in the list, and the totals hold only what was paid. */
const whatGoesBack = (column: string) => `case state when ${StoredRefundState.rejected} then 0
  when ${StoredRefundState.failed} then (select coalesce(sum(p.${column}), 0) from owner.refund_part p where p.enterprise_id = scope_enterprise() and p.refund_id = asked_refund.id and p.state = ${PartState.paid})
  else ${column} end`
const through = {
  phone: { column: 'whose', sql: `${HOLDERS} and phone ^@ $1` },
  holder: { column: 'whose', sql: `${HOLDERS} and holder ilike $1` },
}
const asked = listOver(StoredRefund, 'owner.askedRefund', storedRefundSearch, {
  through,
  sums: ['amountFen', 'clawbackFen', 'payFen', 'doneFen'],
  sumOf: { amountFen: whatGoesBack('amount_fen'), clawbackFen: whatGoesBack('clawback_fen'), payFen: whatGoesBack('pay_fen') },
})
const reviewed = listOver(StoredRefund, 'owner.askedRefund', reviewSearch, { through })
const askedOf = async (tx: Tx, id: string): Promise<Row> => (await find(tx, asked, id))!

interface Whose {
  purseId: string
  ownerId: string | null
  cardNo: string | null
  /** A card of one park is that park's. */
  parkCode: string
}
async function whoseOf(tx: Tx, { ownerId, cardNo }: { ownerId?: string; cardNo?: string }): Promise<Whose> {
  if ((ownerId === undefined) === (cardNo === undefined)) throw OnlyOne()
  if (ownerId) {
    await ownerOf(tx, ownerId)
    return { purseId: await accountPurse(tx, ownerId), ownerId, cardNo: null, parkCode: NO_PARK }
  }
  const [card] = await run<Whose>(
    tx,
    {
      sql: `select purse_id, owner_id, card_no, case when jsonb_array_length(park_codes) = 1 then park_codes ->> 0 else '${NO_PARK}' end as park_code from owner.card where enterprise_id = scope_enterprise() and card_no = $1`,
    },
    [cardNo],
  )
  if (!card) throw NotFound()
  return card
}

/** Requests a refund. Its amount is frozen at once, so that nobody spends it during the review. */
export async function askForRefund(
  tx: Tx,
  { reason, amountFen, dryRun, ...which }: Of<typeof storedRefund.apply.input>,
  { userId, userName }: Person,
  at: Instant,
): Promise<Of<typeof storedRefund.apply.reply>> {
  const whose = await whoseOf(tx, which)
  const purse = await lockPurse(tx, whose.purseId)
  const free = freeOf(purse)
  if ((await run(tx, { sql: OPEN }, [purse.id])).length > 0) throw UnderWay()
  if (amountFen !== undefined && amountFen > free.principalFen) throw TooLittle({ left: yuanOf(free.principalFen), needed: yuanOf(amountFen) })
  const plan = await planOf(tx, purse, amountFen, at)
  if (plan.amountFen === 0) throw NothingLeft()
  const quote = {
    principalFen: free.principalFen as Fen,
    bonusFen: free.bonusFen as Fen,
    amountFen: plan.amountFen as Fen,
    clawbackFen: plan.clawbackFen as Fen,
    shortfallFen: plan.shortfallFen as Fen,
    payFen: plan.payFen as Fen,
    recharges: plan.parts.length,
  }
  if (dryRun) return { quote, refund: null }
  const made = await open(tx, whose, plan, { reason, userId, userName, at })
  return { quote, refund: made }
}
const OPEN = `select 1 from owner.refund where enterprise_id = scope_enterprise() and purse_id = $1 and state in (${[StoredRefundState.waiting, StoredRefundState.firstPassed, StoredRefundState.secondPassed, StoredRefundState.paying].join(', ')})`

async function open(
  tx: Tx,
  { purseId, ownerId, cardNo, parkCode }: Whose,
  { parts, amountFen, clawbackFen, shortfallFen }: Plan,
  { reason, userId, userName, at }: Person & { reason: string; at: Instant },
): Promise<Row> {
  const [{ refundNo }] = (await run<{ refundNo: string }>(tx, { sql: `select platform.business_no('TK') as refund_no` }, [])) as [
    { refundNo: string },
  ]
  const made = await addRow(tx, refunds, {
    refundNo,
    purseId: purseId as Row['purseId'],
    ownerId: ownerId as Row['ownerId'],
    cardNo,
    parkCode,
    amountFen: amountFen as Fen,
    clawbackFen: clawbackFen as Fen,
    shortfallFen: shortfallFen as Fen,
    reason,
    applicantId: userId as Row['applicantId'],
    applicantName: userName,
    appliedAt: at,
  })
  for (const part of parts) await run(tx, { sql: PART }, [made.id, part.rechargeId, part.amountFen, part.clawbackFen, part.shortfallFen, part.route])
  await book(tx, purseId, {
    kind: MovementKind.frozen,
    frozenPrincipalFen: amountFen,
    frozenBonusFen: clawbackFen,
    bizNo: refundNo,
    operatorName: userName,
    remark: Said.refundAsked,
    at,
  })
  return askedOf(tx, made.id)
}
const PART = 'insert into owner.refund_part (refund_id, recharge_id, amount_fen, clawback_fen, shortfall_fen, route) values ($1, $2, $3, $4, $5, $6)'

/** One level, the one that is due. Three persons: the table says so too. */
async function review(
  tx: Tx,
  { id, version, level, pass, verdict }: Of<typeof storedRefund.audit.input>,
  { userId, userName }: Person,
  at: Instant,
): Promise<Row> {
  const found = await lockRow(tx, refunds, { id, version })
  const due = found.state === StoredRefundState.waiting ? ReviewLevel.first : ReviewLevel.second
  if (storedRefundCan.reject(found.state) === undefined) throw IllegalMove({ state: found.state })
  if (level !== due) throw NotThisLevel(due === ReviewLevel.first ? { zh: '初审', en: 'first' } : { zh: '复审', en: 'second' })
  if ([found.applicantId, found.firstId].includes(userId)) throw NotYou()
  const state = (pass ? (due === ReviewLevel.first ? storedRefundCan.passFirst : storedRefundCan.passSecond) : storedRefundCan.reject)(found.state)!
  const person = userId as Row['firstId']
  const who =
    due === ReviewLevel.first
      ? { firstId: person, firstName: userName, firstVerdict: verdict ?? null, firstAt: at }
      : { secondId: person, secondName: userName, secondVerdict: verdict ?? null, secondAt: at }
  if (!pass && !verdict) throw BadInput({ zh: '驳回需填写意见', en: 'a rejection needs a verdict' })
  const decided = await setRow(tx, refunds, found, { ...who, state, ...(!pass && { finishedAt: at }) }, at)
  if (!pass)
    await book(tx, found.purseId, {
      kind: MovementKind.unfrozen,
      frozenPrincipalFen: -found.amountFen,
      frozenBonusFen: -found.clawbackFen,
      bizNo: found.refundNo,
      operatorName: userName,
      remark: Said.refundRejected,
      parkCode: found.parkCode,
      at,
    })
  if (state === StoredRefundState.secondPassed) await addJob(tx, payTask, { refundId: id }, { key: `owner.refund:${id}` })
  return askedOf(tx, decided.id)
}

async function detailOf(tx: Tx, id: string): Promise<Of<typeof storedRefund.detail.reply>> {
  const found = await find(tx, asked, id)
  if (!found) throw NotFound()
  const recharges = await run<Of<typeof RefundPart> & { orderNo: string; refundNo: string | null }>(tx, { sql: PARTS }, [id])
  const own = await linesAbout(tx, found.refundNo)
  const theirs = await Promise.all(
    recharges.map(async ({ orderNo, refundNo }) => (await linesAbout(tx, orderNo)).filter(({ bizNo }) => bizNo === (refundNo ?? found.refundNo))),
  )
  const step = (step: CodeOf<typeof RefundStep>, name: string | null, verdict: string | null, at: Instant | null) =>
    name && at ? [{ step, name, verdict, at }] : []
  const steps = [
    ...step(RefundStep.request, found.applicantName, found.reason, found.appliedAt),
    ...step(RefundStep.first, found.firstName, found.firstVerdict, found.firstAt),
    ...step(RefundStep.second, found.secondName, found.secondVerdict, found.secondAt),
  ]
  return { ...found, steps, recharges: recharges.map(({ refundNo: _, ...part }) => part), entries: [...own, ...theirs.flat()] }
}
const PARTS = `select p.id, r.order_no, r.principal_fen as recharged_fen, r.bonus_fen as given_fen, r.paid_at, r.pay_method, p.amount_fen, p.clawback_fen, p.pay_fen, p.route, p.state, p.slip, p.transfer_no, p.failure, f.refund_no
  from owner.refund_part p join owner.recharge r on r.enterprise_id = p.enterprise_id and r.id = p.recharge_id left join settlement.refund f on f.enterprise_id = p.enterprise_id and f.id = p.order_refund_id
  where p.enterprise_id = scope_enterprise() and p.refund_id = $1 order by r.paid_at desc`
