import { plural } from '../../../platform/contract/plural.ts'
import type { Of } from '../../../platform/contract/field.ts'
import { count, NONE, yuan } from '../../../platform/web/format.ts'
import type { Text } from '../../../platform/web/text.ts'
import { type CheckDetail, CheckResult, CheckState, type CheckTotal, Closing, type Uncleared } from '../contract/liquidation.ts'
import { methodOf, PayMethod } from '../contract/payment.ts'

export const channelName = (channel: string): Text => [PayMethod.entries[methodOf(channel)][0], PayMethod.entries[methodOf(channel)][1]]

type Day = Pick<Of<typeof CheckTotal>, 'checkDate' | 'channel' | 'state' | 'chanFen' | 'chanRefundFen'>
type Before = Of<typeof Uncleared>
interface Asked {
  question: Text
  detail?: Text
  act: Text
}

/** The question before a day is closed. Days are closed in order: if an earlier day is open, the question is about that day, so that nobody learns it from a refusal. */
export function closingOf(day: Day, before: Before): Asked & { of: Day; begins: boolean; closes: boolean } {
  const of = before.first ?? day
  const closes = of.state === CheckState.even || !before.first
  const begins = closes && before.count > 0
  const waits = before.first ? [notYet(day, of)] : []
  const { question, detail, act } = !closes ? looking(of) : begins ? beginning(of, before) : closing(of)
  const said = [...waits, ...(detail ? [detail] : [])]
  return { of, begins, closes, question, act, ...(said.length > 0 && { detail: joined(said) }) }
}
const joined = (texts: readonly Text[]): Text => [texts.map(([zh]) => zh).join(''), texts.map(([, en]) => en).join(' ')]

const notYet = ({ checkDate }: Day, first: Day): Text => [
  `对账日按日期先后关账：${first.checkDate} 尚未关账，关账后才能关 ${checkDate}。`,
  `Days are closed in date order: ${first.checkDate} is not closed yet, and ${checkDate} can be closed only after it.`,
]
const looking = ({ checkDate, channel, state }: Day): Asked => {
  const [zh, en] = channelName(channel)
  const why = CheckState.entries[state]
  return {
    question: [`${zh} ${checkDate} 尚未关账（${why[0]}），还不能关账`, `${en} for ${checkDate} is still open (${why[1]}) and cannot be closed yet`],
    act: [`查看 ${checkDate}`, `View ${checkDate}`],
  }
}
const closing = ({ checkDate, channel, chanFen, chanRefundFen }: Day): Asked => {
  const [[zh, en], paid, back] = [channelName(channel), yuan(chanFen), yuan(chanRefundFen)]
  return {
    question: [
      `${zh} ${checkDate} 关账（渠道收款 ¥${paid}，退款 ¥${back}）？关账后该日只读，渠道在途转入银行存款`,
      `Close ${en} for ${checkDate} (payments ¥${paid}, refunds ¥${back})? The day becomes read-only, and its money in transit moves to bank deposits`,
    ],
    act: [`关账 ${checkDate}`, `Close ${checkDate}`],
  }
}
const beginning = ({ checkDate, channel }: Day, { count: trades, fen, from }: Before): Asked => {
  const [zh, en] = channelName(channel)
  return {
    question: [`${zh}从 ${checkDate} 起对账？`, `Start clearing ${en} on ${checkDate}?`],
    detail: [
      `该渠道还没有关过账。${checkDate} 之前 ${count(trades)} 笔交易未对账（净额 ¥${yuan(fen)}，最早 ${from}），确认后不再参与对账，款项留在渠道在途；要对账，请先导入并关闭这些日期。${checkDate} 关账后只读，渠道在途转入银行存款。`,
      `No day of this channel has been closed yet. ${count(trades)} ${plural(trades, 'transaction')} before ${checkDate} (net ¥${yuan(fen)}, from ${from}) not cleared. If you confirm, this is left out of clearing and its money stays in transit; to clear it, import and close those days first. ${checkDate} becomes read-only, and its money in transit moves to bank deposits.`,
    ],
    act: [`从 ${checkDate} 起对账并关账`, `Start on ${checkDate} and close it`],
  }
}

type Trade = Pick<Of<typeof CheckDetail>, 'channel' | 'result' | 'platFen' | 'chanFen' | 'diffFen' | 'closing' | 'settledName' | 'note'>
/** The question to a reviewer: the difference and how it is settled, and below it who says so and why. */
export function settlingOf({ channel: of, result: found, platFen, chanFen, diffFen, closing: way, settledName, note }: Trade): {
  question: Text
  detail: Text
} {
  const [ours, theirs] = [platFen, chanFen].map((fen) => (fen === null ? NONE : `¥${yuan(fen)}`))
  const [result, channel, closed] = [CheckResult.entries[found], channelName(of), way ? Closing.entries[way] : ['', '']]
  return {
    question: [
      `${channel[0]} ${result[0]} ¥${yuan(diffFen)}（平台 ${ours}，渠道 ${theirs}），按「${closed[0]}」平账？`,
      `${channel[1]}, ${result[1]} ¥${yuan(diffFen)}: ours ${ours}, channel ${theirs}. Settle as ${closed[1]}?`,
    ],
    detail: [`${settledName ?? NONE} 提交，说明：${note ?? NONE}`, `Submitted by ${settledName ?? NONE}: ${note ?? NONE}`],
  }
}
