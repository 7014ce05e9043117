import { whole } from '../../../platform/contract/field.ts'
import { figures, type Listed, NOW } from '../../../platform/contract/figure.ts'
import { DeviceUse, device } from '../../device/contract/device.ts'
import { park, ParkType } from '../../parking/contract/park.ts'
import { during } from '../../parking/contract/figures.ts'
import { section } from '../../roadside/contract/section.ts'
import { ArrearsSource, order, OrderType } from '../../settlement/contract/order.ts'
import { Escapes } from './home.ts'

/** Only a debt has a source. */
const UNPAID = { type: String(OrderType.temporaryParking), sourceType: Object.keys(ArrearsSource.entries).join(',') }
/** Cars that left without paying. */
export const UNPAID_EXITS = figures(undefined, Escapes.properties, {
  orders: {
    counts: [
      '离场时没有付清、记为欠费的停车订单，含以后补缴和减免的',
      'parking orders booked as arrears when the car left, those repaid or waived since included',
    ],
    time: ['按下单时间', 'by when the order was made'],
    opens: { path: '/operation/finance', call: order.list, filter: during('createdAt', UNPAID) },
  },
})

type Text = readonly [zh: string, en: string]

const PARKS = '/assetManage/parkingAndFacility/selfParking'
const OFF_STREET = { pType: String(ParkType.offStreet) }
const parks = (counts: Text, sums?: string): Listed => ({
  ...{ counts, time: NOW },
  opens: { path: PARKS, call: park.queryPage, filter: () => OFF_STREET, ...(sums && { sums }) },
})
/** Assets of the city beside the berths of the street. */
export const ASSETS = figures(
  undefined,
  {
    parks: whole('停车场', 'Car parks'),
    bays: whole('车场泊位', 'Car park bays'),
    sections: whole('片区 / 路段', 'Districts / sections'),
    parkDevices: whole('车场设备', 'Car park devices'),
    roadDevices: whole('路内设备', 'Roadside devices'),
  },
  {
    parks: parks([
      '登记的停车场，停用的也在内；路内片区不计',
      'registered car parks, disabled ones included; districts of the street are not counted',
    ]),
    bays: parks(['停车场的总泊位；路内泊位不计', 'bays of car parks; berths of the street are not counted']),
    sections: {
      ...{ counts: ['登记的路内片区和路段，停用的也在内', 'registered districts and road sections, disabled ones included'], time: NOW },
      opens: { path: '/assetManage/roadParking/section', call: section.find, filter: () => ({}) },
    },
    parkDevices: {
      ...{
        counts: [
          '停车场的设备，库存和报废的不计；路内的不计，点开的列表含路内设备',
          'devices of car parks; those in stock or scrapped, and those of the street, are not counted. The list has those of the street too',
        ],
        time: NOW,
      },
      opens: {
        path: '/operation/deviceMonitor',
        call: device.status,
        filter: () => ({ useStatus: [DeviceUse.waiting, DeviceUse.inUse, DeviceUse.faulty, DeviceUse.inRepair].join(',') }),
      },
    },
    roadDevices: {
      ...{ counts: ['绑定在泊位上的检测设备，每台算一次', 'detectors bound to berths, each counted once'], time: NOW },
      opens: { path: '/assetManage/roadParking/device', call: device.find, filter: () => ({}) },
    },
  },
)
