import { call } from '../../../platform/contract/call.ts'
import { among, dictionary, entity, listOf, pickSome, region, text } from '../../../platform/contract/field.ts'

/** Codes of the dictionaries are fixed by the city's data exchange: never renumber one. */
export const ParkType = dictionary('pType', ['车场类型', 'Car park type'], {
  offStreet: [1, '停车场', 'Off-street'],
  roadside: [2, '路内停车', 'Roadside'],
  charging: [3, '充电站', 'Charging station'],
  other: [4, '其他', 'Other'],
})
/** Whose a park is: the map's layers are cut by it. */
export const ParkSubType = dictionary('subType', ['经营方式', 'Operating mode'], {
  own: [1, '自营', 'Own'],
  third: [2, '第三方', 'Third party'],
  shared: [3, '共享', 'Shared'],
})
export const UseStatus = dictionary('use_status', ['启用状态', 'In use'], {
  inUse: [1, '启用', 'In use', 'success'],
  disabled: [2, '停用', 'Disabled', 'warning'],
})

/** The form of a park's code. A scope is written as these with commas between, and `*` for all: neither may stand in one. */
const PARK_CODE = '^[A-Z][A-Z0-9-]*$'

/** A car park or a district of streets as every domain knows it: enough to name it and to choose it by. */
export const Place = entity({
  parkCode: text('车场编号', 'Car park code', { max: 16, pattern: PARK_CODE }),
  name: text('车场名称', 'Car park'),
  pType: among('车场类型', 'Type', ParkType),
  subType: among('经营方式', 'Operating mode', ParkSubType),
  regionCode: region(),
  status: among('状态', 'Status', UseStatus),
})
/** A place as pickers get it, with its kind once more as the city's data exchange spells it. */
export const PlaceChoice = entity({ ...Place.properties, ptype: Place.properties.pType })

export const place = {
  // Every screen has a park picker: every signed-in person may know the names of the parks of their scope.
  queryList: call('parking.park.query-list', {
    forPrograms: true,
    service: 'basic',
    post: '/parkInfo/queryList',
    needs: 'signed-in',
    body: pickSome(Place, [], ['pType', 'subType', 'status', 'name']),
    reply: listOf(PlaceChoice),
  }),
}
