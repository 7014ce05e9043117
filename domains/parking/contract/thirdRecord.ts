import { call } from '../../../platform/contract/call.ts'
import { fen, instant, message, plate, text } from '../../../platform/contract/field.ts'
import { Stay } from './stay.ts'

const { parkCode, plateColor, id } = Stay.properties
const plateNo = plate()
/** Stays that another operator's platform tells, with a key of its own: shown apart, in no figure of ours. */
export const thirdRecord = {
  /** The same number again adds what has become known since: that the car left, and what it paid. */
  push: call('parking.third-record.push', {
    service: 'fee',
    own: true,
    needs: 'parking:third-record:push',
    writes: true,
    does: ['推送第三方停车记录', 'Pushed a third-party stay'],
    post: '/parkRecord/pushThird',
    body: message(
      {
        platform: text('来源平台', 'Platform', { max: 40 }),
        thirdNo: text('对方单号', 'Their number', { max: 64 }),
        parkCode,
        plateNo,
        entryTime: instant('入场时间', 'Entered at'),
      },
      {
        plateColor,
        exitTime: instant('离场时间', 'Left at'),
        receivableFen: fen('应收', 'Receivable', { min: 0 }),
        paidFen: fen('实收', 'Paid', { min: 0 }),
      },
    ),
    reply: message({ id }),
  }),
}
