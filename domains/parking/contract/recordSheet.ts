import { exportOf, gateName, parkName } from '../../../platform/contract/sheet.ts'
import { park } from './park.ts'
import { stay } from './stay.ts'

/** Stays and parks as sheets. */
export const recordSheet = {
  records: exportOf('parking.record.export', {
    service: 'fee',
    get: '/parkRecord/export',
    needs: stay.queryPage.needs,
    title: ['进出场记录', 'Stays'],
    query: stay.queryPage,
    columns: [
      'plateNo', 'plateColor', 'vehicleClass', 'parkCode', parkName, 'carKindIn', 'entryGate', gateName('entryGate', ['入口名称', 'Entry gate name']), 'entryTime', 'exitGate',
      gateName('exitGate', ['出口名称', 'Exit gate name']), 'exitTime', 'durationMin', 'status', 'payState',
      'receivableFen', 'discountFen', 'paidFen', 'abnormalType', 'remark',
    ],
  }), // prettier-ignore
  present: exportOf('parking.record.present-export', {
    service: 'fee',
    get: '/parkRecord/presentExport',
    needs: stay.queryPresentPage.needs,
    own: true,
    title: ['在场车辆', 'Cars inside'],
    query: stay.queryPresentPage,
    columns: [
      'plateNo', 'plateColor', 'vehicleClass', 'parkCode', parkName, 'carKindIn', 'entryGate', gateName('entryGate', ['入口名称', 'Entry gate name']), 'entryTime', 'status', 'payState', 'receivableFen', 'discountFen',
      'paidFen', 'abnormalType', 'remark',
    ],
  }), // prettier-ignore
  parks: exportOf('parking.park.export', {
    service: 'basic',
    get: '/parkInfo/export',
    needs: park.queryPage.needs,
    title: ['车场', 'Car parks'],
    query: park.queryPage,
    columns: [
      'parkCode', 'name', 'pType', 'subType', 'regionCode', 'address', 'totalBays', 'tempBays', 'passBays', 'chargeBays', 'disabledBays', 'openFrom', 'openTo', 'phone', 'filingNo',
      'filingStatus', 'filingUntil', 'status', 'createdAt', 'remark',
    ],
  }), // prettier-ignore
}
