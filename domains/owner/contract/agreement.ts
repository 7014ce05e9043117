import { among, dictionary, entity, id, instant, orNone, rowFields, text } from '../../../platform/contract/field.ts'
import { PayMethod } from '../../settlement/contract/payment.ts'

export const AgreementState = dictionary('debit_agreement_state', ['代扣签约', 'Debit agreement'], {
  waiting: [0, '签约中', 'Being signed', 'warning'],
  signed: [1, '已签约', 'Signed', 'success'],
  ending: [2, '解约中', 'Being ended', 'warning'],
  ended: [3, '已解约', 'Ended'],
})
/** A driver's permission to take the fees of one verified car at WeChat or Alipay without being asked each time. It is the channel's: it is signed there, and may end there. */
export const Agreement = entity(['代扣签约', 'Debit agreement'], {
  ...rowFields<'AgreementId'>(),
  carId: id<'BoundCarId'>('车辆', 'Car'),
  contractNo: text('签约单号', 'Agreement number', { max: 40 }),
  payMethod: among('签约渠道', 'Signed with', PayMethod),
  agreementNo: orNone(text('渠道签约号', 'The channel’s agreement number', { max: 64 })),
  state: among('状态', 'Status', AgreementState),
  signedAt: orNone(instant('签约时间', 'Signed at')),
  endedAt: orNone(instant('解约时间', 'Ended at')),
})
