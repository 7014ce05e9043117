import type { Fen, Of } from '../../../platform/contract/field.ts'
import { yuan } from '../../../platform/web/format.ts'
import type { Text } from '../../../platform/web/text.ts'
import { RefundState } from '../../settlement/contract/refund.ts'
import { HoldKind, HoldState, PaidBy } from '../contract/money.ts'
import { type ChargeStory, RefundKind } from '../contract/order.ts'

type Story = Pick<Of<typeof ChargeStory>, 'holds' | 'bills' | 'refunds' | 'refundableFen' | 'platformId'>
const CAME: readonly number[] = [HoldState.held, HoldState.settled, HoldState.released]
const WENT: readonly number[] = [RefundState.approved, RefundState.sending, RefundState.done]
/** What each kind of money in advance is called, and how its rest went back: a prepayment is returned, stored value and credit were only kept for the charge. */
const KINDS: Readonly<Record<number, { came: Text; rest: Text }>> = {
  [HoldKind.prepaid]: { came: ['预付', 'Prepaid'], rest: ['余款退回', 'rest returned'] },
  [HoldKind.stored]: { came: ['储值冻结', 'Frozen of stored value'], rest: ['余额已解冻', 'rest unfrozen'] },
  [HoldKind.credit]: { came: ['单位授信占用', 'Reserved of company credit'], rest: ['余额已释放', 'rest released'] },
}
const part = ([zh, en]: Text, fen: number): Text => [`${zh} ¥${yuan(fen as Fen)}`, `${en} ¥${yuan(fen as Fen)}`]

/** How a charge was paid, so that it adds up: what came, what its bills took, what of the rest went back, and what went back by hand. */
export function paidHow({ holds, refunds, refundableFen }: Story): Text[] {
  const all: Text[] = []
  for (const { state, holdKind, holdFen, capturedFen, releasedFen, openFen } of holds) {
    if (!CAME.includes(state)) continue
    const { came, rest } = KINDS[holdKind]!
    all.push(part(came, holdFen), part(['已结算', 'billed'], capturedFen))
    if (releasedFen > 0) all.push(part(rest, releasedFen))
    if (openFen > 0) all.push(part(['未结', 'open'], openFen))
  }
  const back = refunds.filter(({ state, refundKind }) => WENT.includes(state) && refundKind !== RefundKind.rest)
  const backFen = back.reduce((sum, { refundFen }) => sum + refundFen, 0)
  if (backFen > 0 || refundableFen > 0) all.push(part(['人工退款', 'refunded by hand'], backFen))
  return all
}

/** Why nothing of a charge can go back, and where it is dealt with instead. */
export interface Elsewhere {
  why: Text
  to?: string
  at?: Text
  /** Its bill can be made less where it stands. */
  adjusts?: true
}
const STATEMENTS = '/recharge/chargingStatement'
/** @returns nothing where something can go back */
export function elsewhere({ holds, bills, refundableFen, platformId }: Story): Elsewhere | undefined {
  if (refundableFen > 0) return undefined
  const paid = (by: number) => bills.some(({ paidBy }) => paidBy === by)
  if (platformId !== null || paid(PaidBy.partner)) return PARTNERS
  const lent = holds.find(({ holdKind, state }) => holdKind === HoldKind.credit && CAME.includes(state))
  if (lent)
    return {
      why: [
        `费用记在${lent.payer}的单位授信账上，按月向单位结算，没有收款可退。多收的请用「调整」填负数，从单位应付中减去。`,
        `The cost is on the company credit of ${lent.payer} and billed to it monthly, so there is no payment to return. To charge less, adjust the bill by a negative amount: the company owes that much less.`,
      ],
      adjusts: true,
    }
  if (paid(PaidBy.arrears))
    return {
      why: [
        '欠费还没有支付，没有收款可退；请在欠费管理中处理该欠费。',
        'The debt is not paid yet, so there is no payment to return: handle the debt under Arrears.',
      ],
    }
  if (bills.some(({ capturedFen }) => capturedFen > 0)) return { why: ['已收的款项已全部退回。', 'All that was paid has gone back already.'] }
  return { why: ['该充电已减免或没有费用，没有收款可退。', 'The session was waived or cost nothing, so there is no payment to return.'] }
}
/** A partner's driver pays the partner; what is wrong with the bill is a difference of their statement. */
export const PARTNERS: Elsewhere = {
  why: [
    '由合作平台向其用户收款，本平台没有收款可退；账单有误请在「互联对账」中处理。',
    'The partner platform collects from its own driver, so there is no payment to return here: settle a wrong bill under “Partner statements”.',
  ],
  to: STATEMENTS,
  at: ['去「互联对账」', 'Open “Partner statements”'],
}
