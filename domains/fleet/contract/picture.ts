import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  degrees,
  dictionary,
  empty,
  entity,
  instant,
  listOf,
  message,
  orNone,
  pictures,
  plate,
  shaped,
  text,
  whole,
} from '../../../platform/contract/field.ts'
import { IllegalStop } from '../../roadside/contract/illegalStop.ts'
import { channel, TerminalCommand } from './terminal.ts'

export const PictureSource = dictionary('fleet_picture_source', ['图片来源', 'Picture source'], {
  platform: [1, '平台抓拍', 'Ordered'],
  timed: [2, '定时', 'Timed'],
  alarm: [3, '报警', 'Alarm', 'error'],
  patrol: [4, '巡检车', 'Patrol car'],
})
/** A picture from the company's own cars: by their terminals, or by patrol cars, of cars that stand where they may not. */
export const VehiclePicture = entity({
  id: text('编号', 'Id', { max: 60 }),
  /** Null: the camera of the patrol car is not the terminal of one of the fleet. */
  vehicleId: orNone(TerminalCommand.properties.vehicleId),
  vehicleNo: orNone(TerminalCommand.properties.vehicleNo),
  at: instant('时间', 'Time'),
  source: among('来源', 'Source', PictureSource),
  channel: orNone(channel),
  lng: orNone(degrees('经度', 'Longitude')),
  lat: orNone(degrees('纬度', 'Latitude', 90)),
  image: pictures('图片', 'Picture'),
  parkCode: orNone(IllegalStop.properties.parkCode),
  deviceNo: IllegalStop.properties.deviceNo,
  illegalNo: orNone(IllegalStop.properties.illegalNo),
  /** Of the car in the picture. */
  plateNo: orNone(plate('违停车牌', 'Plate of the stopped car')),
  place: orNone(IllegalStop.properties.place),
})
export const pictureSearch = searchOf(
  VehiclePicture,
  {
    vehicleId: 'equals',
    vehicleNo: 'plate',
    source: 'among',
    at: 'between',
    parkCode: 'equals',
    deviceNo: 'equals',
    illegalNo: 'equals',
    plateNo: 'plate',
  },
  { sort: ['at'] },
)

const count = whole('图片数', 'Pictures', { min: 0 })
const view = { service: 'business', needs: 'fleet:supervise:view' } as const
/** Those of patrol cars are evidence: a reader who may not see illegal stops sees neither them nor their number. */
export const picture = {
  query: call('fleet.picture.query', {
    ...view,
    post: '/vehiclePicture/queryVehiclePicture',
    body: paged(pictureSearch),
    reply: pageOf(VehiclePicture),
  }),
  count: call('fleet.picture.count', {
    ...view,
    post: '/vehiclePicture/queryVehiclePictureCount',
    query: empty,
    reply: message({
      total: count,
      today: whole('今日图片', 'Taken today', { min: 0 }),
      bySource: shaped('按来源', 'By source', listOf(entity({ source: VehiclePicture.properties.source, count }))),
    }),
  }),
}
