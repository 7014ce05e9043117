import { appeal, AppealState } from '../../domains/arrears/contract/appeal.ts'
import { door } from '../../domains/arrears/contract/door.ts'
import { etc, EtcReason, Verdict } from '../../domains/arrears/contract/etc.ts'
import { ArrearsState } from '../../domains/arrears/contract/file.ts'
import { record } from '../../domains/arrears/contract/record.ts'
import { ParkType } from '../../domains/parking/contract/park.ts'
import { order } from '../../domains/settlement/contract/order.ts'
import { methodOf } from '../../domains/settlement/contract/payment.ts'
import { RefundState } from '../../domains/settlement/contract/refund.ts'
import type { Instant } from '../../platform/contract/field.ts'
import { DAY_MS, dayOf, instantAt } from '../../platform/contract/time.ts'
import { type Client, Refused } from '../client.ts'
import { pause } from './world.ts'

/** So many of the run's debts are appealed, and so many of its deductions refunded. */
const APPEALS_MOST = 6
const REFUNDS_MOST = 3
const REASONS = ['不是我的车', '已经付过现金', '停车时间算多了'] as const
/** Every other one is upheld. */
const UPHELD_EACH = 2
const PAID_WITHIN_MS = 20_000

export interface Disputed {
  appealed: number
  upheld: number
  rejected: number
  cleared: number
  refunded: number
  problems: string[]
}
interface Parties {
  /** A driver without an account. */
  stranger: Client
  /** Two of the company's people: whoever asks does not decide. */
  admin: Client
  operator: Client
  /** The code at the exits of a park. */
  codeAt: (parkCode: string) => Promise<string>
  issuer: string
  since: Instant
}

/** After the traffic: the issuer's file says of what was doubtful, drivers appeal debts at the printed code, and some ETC money goes back. */
export async function settleDisputes(parties: Parties): Promise<Disputed> {
  const done: Disputed = { appealed: 0, upheld: 0, rejected: 0, cleared: 0, refunded: 0, problems: [] }
  // A refusal is a problem to be told; what the books say of it all is compared afterwards all the same.
  for (const step of [clear, appeals, refunds])
    await step(parties, done).catch((error: Error) => {
      if (!(error instanceof Refused)) throw error
      done.problems.push(error.message)
    })
  return done
}

async function clear({ admin, issuer, since }: Parties, done: Disputed): Promise<void> {
  const days = new Set([dayOf(since), dayOf(instantAt(Date.now()))])
  for (const day of days) {
    // Files of one day are told apart by their number; a city is played more than once a day.
    const seq = 1 + Math.floor((Date.now() % DAY_MS) / 1000)
    const reply = await fetch(`${issuer}/file?${new URLSearchParams({ issuer: 'HB', date: day.replaceAll('-', ''), seq: String(seq) })}`)
    const { name, text } = (await reply.json()) as { name: string; text: string }
    if (!text.includes('\nD,')) continue
    const file = { name, type: 'text/csv', bytes: Buffer.from(text) }
    const { settled } = await admin.ask(etc.fileImport, { file } as never)
    done.cleared += settled
  }
}

/** At the code that hangs at the park. */
async function appeals({ stranger, admin, codeAt, since }: Parties, done: Disputed): Promise<void> {
  const { records } = await admin.ask(record.escapeList, {
    createdAtFrom: since,
    state: [ArrearsState.open],
    pType: [ParkType.offStreet],
    limit: 50,
  } as never)
  const named = records.filter(({ plateNo, stayId, collectableFen }) => plateNo !== null && stayId !== null && collectableFen > 0)
  for (const [place, { parkCode, plateNo }] of named.slice(0, APPEALS_MOST).entries()) {
    const code = await codeAt(parkCode)
    const [debt] = await stranger.ask(door.debts, { code, plateNo: plateNo as never })
    if (!debt) continue
    const { appealNo } = await stranger.ask(door.appeal, {
      code,
      plateNo: plateNo as never,
      debt: debt.ref,
      reason: REASONS[place % REASONS.length]!,
      contact: '16000001111' as never,
    })
    done.appealed++
    const waiting = await admin.ask(appeal.list, { state: [AppealState.waiting], appliedAtFrom: since, limit: 50 } as never)
    const mine = waiting.records.find((one) => one.appealNo === appealNo)
    if (!mine) continue
    const { id, version } = mine
    const upheld = place % UPHELD_EACH === 0
    await admin.ask(upheld ? appeal.accept : appeal.reject, { id, version, verdict: upheld ? '图片不清，撤销' : '图片清楚，维持' })
    done[upheld ? 'upheld' : 'rejected']++
  }
}

/** Refunds what the issuer has cleared: one person asks, another grants, and the issuer's word counts as paid. */
async function refunds({ admin, operator, since }: Parties, done: Disputed): Promise<void> {
  const asked: string[] = []
  const paid = await paidByEtc(admin, since)
  for (const { deductNo, amountFen } of paid.slice(0, REFUNDS_MOST)) {
    await operator.ask(etc.refundApply, { deductNo, amountFen, reason: EtcReason.amount, note: '车主称金额有误' } as never)
    const { records } = await admin.ask(etc.refund, { deductNo } as never)
    await admin.ask(etc.refundVerify, { id: records[0]!.id, result: Verdict.granted, verdict: '属实' } as never)
    asked.push(deductNo)
  }
  for (const deductNo of asked) if (await isPaidBack(admin, deductNo)) done.refunded++
}
/** Orders of the run that the antennas were paid for; the number of the deduction is that of its payment. */
async function paidByEtc(admin: Client, since: Instant): Promise<{ deductNo: string; amountFen: number }[]> {
  const { records } = await admin.ask(order.list, { payMethod: [methodOf('etc')], createdAtFrom: since, limit: 50 } as never)
  const whole = records.filter(({ paidFen, refundFen, refundingFen }) => paidFen > 0 && refundFen + refundingFen === 0)
  const stories = await Promise.all(whole.slice(0, REFUNDS_MOST).map(({ id }) => admin.ask(order.info, { id })))
  return stories.flatMap(({ payments }) =>
    payments
      .filter(({ channel, receivedFen }) => channel === 'etc' && receivedFen > 0)
      .map(({ payNo, receivedFen }) => ({ deductNo: payNo, amountFen: receivedFen })),
  )
}
async function isPaidBack(admin: Client, deductNo: string): Promise<boolean> {
  for (const until = Date.now() + PAID_WITHIN_MS; Date.now() < until; await pause(1_000)) {
    const { records } = await admin.ask(etc.refund, { deductNo } as never)
    if (records.some(({ state }) => state === RefundState.done)) return true
  }
  return false
}
