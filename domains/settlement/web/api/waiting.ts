import type { Call, Page, Permission } from '../../../../platform/contract/call.ts'
import { listAt } from '../../../../platform/web/listAt.ts'
import type { Text } from '../../../../platform/web/text.ts'
import { DiffState, liquidation } from '../../contract/liquidation.ts'
import { PayMethod } from '../../contract/payment.ts'
import { refund, RefundState } from '../../contract/refund.ts'
import { shift, ShiftState } from '../../contract/shift.ts'
import { waiver, WaiverState } from '../../contract/waiver.ts'

/** Work with money that waits for somebody: so many rows of a list, which it opens. */
export interface Waiting {
  name: Text
  call: Call<any, Page<unknown>>
  criteria: Readonly<Record<string, readonly number[]>>
  to: string
}
const FINANCE = '/operation/finance'
const SHIFTS = '/assetManage/person/charging'

type One = [needs: Permission, page: Permission, name: Text, call: Call<any, Page<any>>, path: string, tab: string, criteria: Waiting['criteria']]
const ALL: readonly One[] = [
  [
    refund.approve.needs,
    'settlement:order:view',
    ['待审核退款', 'Refunds to review'],
    refund.list,
    FINANCE,
    'refunds',
    { state: [RefundState.waiting] },
  ],
  [
    refund.payOut.needs,
    'settlement:order:view',
    ['待付现金退款', 'Cash refunds to pay out'],
    refund.list,
    FINANCE,
    'refunds',
    { state: [RefundState.approved], payMethod: [PayMethod.cash] },
  ],
  [
    waiver.approve.needs,
    'settlement:order:view',
    ['待审核减免', 'Waivers to review'],
    waiver.list,
    FINANCE,
    'waivers',
    { state: [WaiverState.waiting] },
  ],
  [
    liquidation.settle.needs,
    'settlement:order:view',
    ['待处理差异', 'Differences to settle'],
    liquidation.details,
    FINANCE,
    'trades',
    { diffState: [DiffState.unclaimed, DiffState.claimed] },
  ],
  [
    liquidation.settleDecide.needs,
    'settlement:order:view',
    ['待复核差异', 'Differences to review'],
    liquidation.details,
    FINANCE,
    'trades',
    { diffState: [DiffState.toReview] },
  ],
  [
    shift.verify.needs,
    'staff:money:view',
    ['待核验收银班次', 'Cash shifts to verify'],
    shift.query,
    SHIFTS,
    'shifts',
    { state: [ShiftState.handedOver, ShiftState.toSettle] },
  ],
]

/** For whoever may do it, and may see the list and the page that it stands on. */
export const waitingFor = (may: (needs: Permission) => boolean): Waiting[] =>
  ALL.filter(([needs, page, , call]) => [needs, page, call.needs].every(may)).map(([, , name, call, path, tab, criteria]) => ({
    ...{ name, call, criteria },
    to: listAt(path, { tab, ...criteria }),
  }))
