import { call } from '../../../platform/contract/call.ts'
import { among, entity, instant, message, plate, ref, shaped, text } from '../../../platform/contract/field.ts'
import { PlateColor } from '../../../platform/contract/plate.ts'
import { Quote } from './quote.ts'

/** The fee that a parked car owes at this moment. */
export const CarFee = entity({
  stayId: ref<'StayId'>('停车记录', 'Stay'),
  parkCode: text('车场编号', 'Car park code', { max: 24 }),
  plateNo: plate(),
  entryTime: instant('入场时间', 'Entered at'),
  at: instant('计费至', 'Until'),
  totalFen: Quote.properties.totalFen,
  paidFen: Quote.properties.paidFen,
  payableFen: Quote.properties.payableFen,
  quote: shaped('计费', 'Fee', Quote),
})
export const carFee = {
  query: call('fee.car-fee.query', {
    service: 'fee',
    needs: 'fee:car-fee:view',
    heavy: true,
    get: '/carFee/query',
    query: message(
      { plateNo: plate() },
      { plateColor: among('车牌颜色', 'Plate colour', PlateColor), parkCode: text('车场编号', 'Car park code', { max: 24 }) },
    ),
    reply: CarFee,
  }),
}
