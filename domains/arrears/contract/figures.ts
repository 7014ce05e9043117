import { figures, type Listed, NOW } from '../../../platform/contract/figure.ts'
import { fen } from '../../../platform/contract/field.ts'
import { etc, EtcFigures, EtcState } from './etc.ts'
import { ArrearsSummary, record } from './record.ts'

type Text = readonly [zh: string, en: string]

const RECORDS = '/userCenter/arrearage/record'
const owed = (counts: Text, sums: string): Listed => ({
  ...{ counts, time: NOW },
  opens: { path: RECORDS, call: record.list, filter: ({ parkCode }) => ({ parkCode }), sums },
})
const { paidFen, waivedFen, writtenOffFen, revokedFen } = ArrearsSummary.properties
/** All debts by what became of them until now: these add up to what was owed. */
export const ARREARS_FIGURES = figures(
  undefined,
  { owedFen: fen('未缴欠费', 'Unpaid arrears'), paidFen, waivedFen, writtenOffFen, revokedFen },
  {
    owedFen: owed(['所有欠费记录此刻还欠的金额', 'what all arrears records owe now'], 'owedFen'),
    paidFen: owed(['欠费中以后补缴的金额', 'what of arrears was repaid later'], 'paidFen'),
    waivedFen: owed(['欠费中审核减免的金额', 'what of arrears was waived with approval'], 'waivedFen'),
    writtenOffFen: owed(['欠费中作为坏账核销的金额', 'what of arrears was written off as bad debt'], 'writtenOffFen'),
    revokedFen: owed(['不该记欠费、已撤销的金额', 'what should not have been booked as owed and was revoked'], 'revokedFen'),
  },
)

/** States of a deduction that has ended: one that still waits is in no figure. */
export const ENDED = [EtcState.done, EtcState.failed, EtcState.unknown, EtcState.manual, EtcState.refunded]
/** Refunded later, it was taken all the same. */
export const TAKEN = [EtcState.done, EtcState.refunded]
const TRADED: Text = ['按交易时间', 'by when the antenna was told to take it']
const deducts = (counts: Text, states: readonly number[], sums?: string): Listed => ({
  ...{ counts, time: TRADED },
  opens: {
    ...{ path: '/extendedBusiness/etc/deduct', call: etc.deduct, ...(sums && { sums }) },
    filter: ({ from, to, parkCode }) => ({ parkCode, tradeTimeFrom: `${from} 00:00:00`, tradeTimeTo: `${to} 23:59:59`, etcState: states.join(',') }),
  },
})
const leftUnpaid = (counts: Text): Listed => ({
  ...{ counts, time: TRADED },
  opens: {
    ...{ path: '/extendedBusiness/etc/arrears', call: etc.escape, sums: 'amountFen' },
    filter: ({ from, to, parkCode }) => ({ parkCode, tradeTimeFrom: `${from} 00:00:00`, tradeTimeTo: `${to} 23:59:59` }),
  },
})
/** How ETC does. */
export const ETC = figures(['ETC ', 'ETC'], EtcFigures.properties, {
  attempts: deducts(
    [
      '已有结果的扣费，含结果未知和转人工的；还在扣的不计',
      'deductions that have ended, those of unknown result and those for manual handling included; those under way are not counted',
    ],
    ENDED,
  ),
  successRate: deducts(
    [
      '扣费成功的 ÷ 扣费次数，结果未知的两边都不计；没有时为 --',
      'successful deductions ÷ attempts; those of unknown result are in neither; -- where there are none',
    ],
    ENDED.filter((state) => state !== EtcState.unknown),
  ),
  successFen: deducts(['扣费成功的金额，以后退款的也在内', 'what was deducted, what was refunded later included'], TAKEN, 'amountFen'),
  escapedFen: leftUnpaid(['没有扣成、车已离场并记为欠费的金额', 'what was not deducted, of cars that left and owe it']),
  recoverRate: leftUnpaid([
    '未缴离场的金额中已补缴的 ÷ 未缴离场金额；没有时为 --',
    'what was repaid of the amount left unpaid ÷ amount left unpaid; -- where there is none',
  ]),
  unknown: deducts(['没有收到结果、等清分文件确认的扣费', 'deductions without an answer; the clearing file decides'], [EtcState.unknown]),
})
