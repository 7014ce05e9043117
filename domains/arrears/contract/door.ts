import { call } from '../../../platform/contract/call.ts'
import { among, entity, fen, instant, listOf, message, orNone, plate, text, upload, whole } from '../../../platform/contract/field.ts'
import { PlateColor } from '../../../platform/contract/plate.ts'
import { Order } from '../../settlement/contract/order.ts'
import { Payment } from '../../settlement/contract/payment.ts'
import { Appeal, AppealState } from './appeal.ts'
import { Collected, TOGETHER_MAX } from './repayment.ts'

/** The code printed at the place; it names the place, and cannot be made up. */
const code = text('二维码', 'QR code', { max: 40 })
/** Names the debt to the driver who was shown it, and tells nothing more: a number with a date in it would tell when the car was there. */
const ref = text('欠费标识', 'Debt reference', { min: 32, max: 32 })
const appealNo = Appeal.properties.appealNo
/** Pictures of one appeal. */
export const APPEAL_PICTURES = 6

export const DoorDebt = entity({
  ref,
  plateColor: orNone(among('车牌颜色', 'Plate colour', PlateColor)),
  owedFen: fen('待补缴', 'Still owed', { min: 1 }),
  /** Where and when it arose: only of the car that stands at the very lane whose code was scanned. */
  parkName: orNone(text('车场', 'Car park', { max: 64 })),
  arrivedAt: orNone(instant('入场时间', 'Entered at')),
  leftAt: orNone(instant('离场时间', 'Left at')),
})
export const DoorAppeal = entity({
  appealNo,
  state: among('申诉状态', 'Appeal status', AppealState),
  appliedAt: instant('申诉时间', 'Appealed at'),
  decidedAt: orNone(instant('处理时间', 'Decided at')),
  verdict: orNone(text('处理意见', 'Decision comment', { max: 200 })),
  pictures: whole('图片', 'Pictures', { min: 0, max: APPEAL_PICTURES }),
})

const open = { service: 'business', needs: 'public', own: true, heavy: true } as const
/**
 * Open to everybody at a printed code, as `settlement.scan` is: of a typed plate it tells amounts, never where the car was or when; where and when a debt arose it tells only
 * of the car that stands before the driver.
 */
export const door = {
  /** Returns the plate's earlier debts that may be asked for, oldest first. */
  debts: call('arrears.door.debts', { ...open, get: '/escape/doorDebts', query: message({ code, plateNo: plate() }), reply: listOf(DoorDebt) }),
  /** One payment for the chosen debts and, with `currentOrderNo`, for the stay that is paid here now: all of it commits, or nothing. */
  pay: call('arrears.door.pay', {
    ...open,
    post: '/escape/doorPay',
    writes: true,
    does: ['扫码补缴欠费', 'Paid arrears by QR code'],
    body: message(
      {
        code,
        plateNo: plate(),
        debts: listOf(ref, { max: TOGETHER_MAX }),
        paidFen: fen('补缴金额', 'Amount', { min: 1 }),
        payMethod: Payment.properties.payMethod,
      },
      { currentOrderNo: Order.properties.orderNo },
    ),
    reply: Collected,
  }),
  appeal: call('arrears.door.appeal', {
    ...open,
    post: '/escape/doorAppeal',
    writes: true,
    does: ['扫码申诉欠费', 'Appealed by QR code'],
    body: message({ code, plateNo: plate(), debt: ref, reason: Appeal.properties.reason, contact: Appeal.properties.contact }),
    reply: DoorAppeal,
  }),
  /** Adds a picture to a waiting appeal; its number gives access. */
  picture: call('arrears.door.picture', {
    ...open,
    post: '/escape/doorPicture',
    writes: true,
    does: ['上传申诉图片', 'Added a picture to an appeal'],
    multipart: message({ code, appealNo, file: upload('图片', 'Picture') }),
    reply: DoorAppeal,
  }),
  follow: call('arrears.door.follow', { ...open, get: '/escape/doorFollow', query: message({ code, appealNo }), reply: DoorAppeal }),
}
