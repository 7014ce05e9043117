import { sentences } from '../../../platform/contract/said.ts'

/** Sentences that this domain writes into rows. */
export const Said = sentences('share', {
  bay: ['共享车位 {seatNo} {plateNo}', 'Shared bay {seatNo} {plateNo}'],
  overrun: ['共享车位超时 {bookingNo}', 'Shared bay overrun {bookingNo}'],
  deposit: ['停车预约保证金 {plateNo}', 'Parking reservation deposit {plateNo}'],
  again: ['再次入场，此前何时离场不明', 'It entered again; when it left before is not known'],
  corrected: ['车牌修正：该车已按约到场', 'Plate corrected: the car did come as booked'],
  misread: ['车牌识别有误，车辆并未到场', 'The plate was misread: the car did not come'],
  arrived: ['已按约到达，退还保证金', 'Arrived as booked: the deposit is returned'],
  unpaid: ['超时未支付，自动取消', 'Not paid in time: cancelled automatically'],
  byDriver: ['车主取消', 'Cancelled by the driver'],
  byOperator: ['运营方取消', 'Cancelled by the operator'],
  askUs: ['请联系运营方', 'Please contact the operator'],
  operator: ['运营方', 'The operator'],
})
