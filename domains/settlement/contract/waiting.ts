import type { Permission } from '../../../platform/contract/call.ts'
import { whole } from '../../../platform/contract/field.ts'
import { type Figure, figures, type Listed, NOW } from '../../../platform/contract/figure.ts'
import { DiffState, liquidation } from './liquidation.ts'
import { PayMethod } from './payment.ts'
import { refund, RefundState } from './refund.ts'
import { shift, ShiftState } from './shift.ts'
import { waiver, WaiverState } from './waiver.ts'

type Text = readonly [zh: string, en: string]
const FINANCE = '/operation/finance'
const SHIFTS = '/assetManage/person/charging'
const waits = (counts: Text, path: string, call: Listed['opens']['call'], tab: string, criteria: Record<string, readonly number[]>): Listed => {
  const filter = { tab, ...Object.fromEntries(Object.entries(criteria).map(([name, among]) => [name, among.join(',')])) }
  return { counts, time: NOW, opens: { path, call, filter: () => filter } }
}
/** Work with money that waits for somebody: so many rows of a list. */
export const WAITING = figures(
  undefined,
  {
    refunds: whole('待审核退款', 'Refunds to review'),
    payouts: whole('待付现金退款', 'Cash refunds to pay out'),
    waivers: whole('待审核减免', 'Waivers to review'),
    differences: whole('待处理差异', 'Differences to settle'),
    reviews: whole('待复核差异', 'Differences to review'),
    shifts: whole('待核验收银班次', 'Cash shifts to verify'),
  },
  {
    refunds: waits(
      ['等人审核的退款，含本人申请的', 'refunds that nobody has decided yet, one’s own requests included'],
      FINANCE,
      refund.list,
      'refunds',
      {
        state: [RefundState.waiting],
      },
    ),
    payouts: waits(
      ['审核通过、还没有交给车主的现金退款', 'refunds in cash that were approved and not handed out yet'],
      FINANCE,
      refund.list,
      'refunds',
      {
        state: [RefundState.approved],
        payMethod: [PayMethod.cash],
      },
    ),
    waivers: waits(['等人审核的减免', 'waivers that nobody has decided yet'], FINANCE, waiver.list, 'waivers', { state: [WaiverState.waiting] }),
    differences: waits(
      ['待认领和处理中的对账差异', 'differences of clearing that are unclaimed or being handled'],
      FINANCE,
      liquidation.details,
      'trades',
      { diffState: [DiffState.unclaimed, DiffState.claimed] },
    ),
    reviews: waits(
      ['已提交处理、等另一人复核的对账差异', 'differences of clearing that another person has to review'],
      FINANCE,
      liquidation.details,
      'trades',
      { diffState: [DiffState.toReview] },
    ),
    shifts: waits(['已清点、还没有核验的收银班次', 'cash shifts that were counted and not verified yet'], SHIFTS, shift.query, 'shifts', {
      state: [ShiftState.handedOver, ShiftState.toSettle],
    }),
  },
)
/** The permission for the act itself, and the one for the page that shows its list. */
const NEEDS: Record<keyof typeof WAITING, readonly Permission[]> = {
  refunds: [refund.approve.needs, 'settlement:order:view'],
  payouts: [refund.payOut.needs, 'settlement:order:view'],
  waivers: [waiver.approve.needs, 'settlement:order:view'],
  differences: [liquidation.settle.needs, 'settlement:order:view'],
  reviews: [liquidation.settleDecide.needs, 'settlement:order:view'],
  shifts: [shift.verify.needs, 'staff:money:view'],
}
/** Returns the figures whose act the reader may do, and whose list they may see. */
export const waitingFor = (may: (needs: Permission) => boolean): Figure<Listed>[] =>
  (Object.keys(NEEDS) as (keyof typeof WAITING)[])
    .filter((name) => [...NEEDS[name], WAITING[name].opens.call.needs].every(may))
    .map((name) => WAITING[name])
