import { call } from '../../../platform/contract/call.ts'
import { day, message, text, yes } from '../../../platform/contract/field.ts'
import { Park } from './park.ts'

/** A park's registration with the authority. An editor of the park applies for it; another person decides. */
export const filing = {
  apply: call('parking.park.filing-apply', {
    service: 'basic',
    own: true,
    needs: 'parking:park:edit',
    writes: true,
    does: ['提交车场备案', 'Submitted a car park filing'],
    post: '/parkInfo/filingApply',
    body: message({ id: Park.properties.id, version: Park.properties.version }),
    reply: Park,
  }),
  decide: call('parking.park.filing-decide', {
    service: 'basic',
    own: true,
    needs: 'parking:filing:decide',
    writes: true,
    does: ['审核车场备案', 'Reviewed a car park filing'],
    post: '/parkInfo/filingDecide',
    body: message(
      { id: Park.properties.id, version: Park.properties.version, pass: yes('通过', 'Approve') },
      {
        filingNo: text('备案号', 'Filing number'),
        filingUntil: day('备案有效期', 'Filed until'),
        reason: text('驳回原因', 'Reason for rejection', { max: 200 }),
      },
    ),
    reply: Park,
  }),
}
