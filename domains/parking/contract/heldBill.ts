import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  entity,
  fen,
  instant,
  minutes,
  orNone,
  pick,
  pickSome,
  plate,
  ref,
  rowFields,
  text,
} from '../../../platform/contract/field.ts'
import { Park } from './park.ts'
import type { StayId } from './stay.ts'

/** Reasons why a bill cannot be right. */
export const HeldWhy = dictionary('held_bill_why', ['核对原因', 'Reason for the check'], {
  wrong: [1, '金额为负或与明细不符', 'Negative, or different from the sum of its lines', 'error'],
  aboveRule: [2, '超过收费规则可得的上限', 'Above the highest fee that its rule allows', 'error'],
  aboveBound: [3, '超过车场单笔上限', 'Above the car park’s limit for one bill', 'warning'],
  tooLong: [4, '停车超过超长在场时限', 'Parked beyond the overstay limit', 'warning'],
})
export const HeldState = dictionary('held_bill_state', ['核对状态', 'Check status'], {
  waiting: [0, '待核对', 'To be checked', 'warning'],
  released: [1, '金额无误', 'Amount confirmed', 'success'],
  corrected: [2, '已更正', 'Corrected', 'success'],
  /** The car was let go before anybody said which amount is right: nothing beyond its payments is asked. */
  letGo: [3, '未核对即放行', 'Let go unchecked', 'default'],
  /** The entry time behind the bill was corrected: nobody has looked at an amount. */
  anew: [4, '入场时间已更正，重新计费', 'Entry time corrected, billed anew', 'default'],
})
/** The decision of a person: the amount is right, or another one is. */
export const HeldVerdict = dictionary('held_bill_verdict', ['核对结论', 'Verdict'], {
  release: [1, '金额无误，照此收取', 'The amount is right: bill it'],
  correct: [2, '更正金额', 'Correct the amount'],
})

/** A bill that cannot be right: no money moves before a person has looked. */
export const HeldBill = entity(['费用核对', 'Fee check'], {
  ...rowFields<'HeldBillId'>(),
  parkCode: Park.properties.parkCode,
  stayId: ref<StayId>('停车记录', 'Stay'),
  plateNo: orNone(plate()),
  why: among('核对原因', 'Check reason', HeldWhy),
  amountFen: fen('算得金额', 'Calculated amount'),
  /** The bound that it is above. */
  limitFen: orNone(fen('上限', 'Limit')),
  parkedMin: minutes('停车时长', 'Parked for'),
  heldAt: instant('发现时间', 'Held at'),
  state: among('核对状态', 'Status', HeldState),
  /** The stay's whole fee, as a person decided. */
  setFen: orNone(fen('更正为', 'Corrected to', { min: 0 })),
  reason: orNone(text('核对说明', 'Note', { max: 200 })),
  decidedBy: orNone(text('核对人', 'Checked by')),
  decidedAt: orNone(instant('核对时间', 'Checked at')),
})
export const heldBillSearch = searchOf(
  HeldBill,
  { parkCode: 'equals', stayId: 'equals', plateNo: 'plate', why: 'among', state: 'among', heldAt: 'between' },
  { sort: ['heldAt'] },
)

export const heldBill = {
  list: call('parking.held-bill.list', {
    service: 'fee',
    get: '/heldBill/list',
    own: true,
    needs: 'parking:stay:view',
    query: paged(heldBillSearch),
    reply: pageOf(HeldBill),
  }),
  decide: call('parking.held-bill.decide', {
    service: 'fee',
    post: '/heldBill/decide',
    own: true,
    writes: true,
    needs: 'parking:stay:handle',
    does: ['核对停车费用', 'Checked a held bill'],
    body: pickSome(
      entity({
        ...pick(HeldBill, 'id', 'version', 'setFen').properties,
        verdict: among('核对结论', 'Verdict', HeldVerdict),
        reason: text('核对说明', 'Note', { max: 200 }),
      }),
      ['id', 'version', 'verdict', 'reason'],
      ['setFen'],
    ),
    reply: HeldBill,
  }),
}
