import { call, posted } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  entity,
  id,
  instant,
  listOf,
  message,
  nothing,
  orNone,
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { Park } from '../../parking/contract/park.ts'
import { Berth } from './berth.ts'

export const VideoVerdict = dictionary('high_video_verdict', ['检查结论', 'Check result'], {
  fine: [1, '正常', 'Normal', 'success'],
  offline: [2, '离线', 'Offline', 'error'],
  clock: [3, '时钟偏差', 'Clock drift', 'warning'],
  noFrame: [4, '无新画面', 'No new picture', 'warning'],
  blind: [5, '有盲区', 'Blind berths', 'warning'],
})
/** The two kinds of camera that look down on a street. */
export const PoleCamera = dictionary('pole_camera', ['相机类型', 'Camera type'], {
  highPole: [5, '高位视频', 'High-pole camera'],
  dome: [12, '球机', 'Dome camera'],
})

const parkCode = Park.properties.parkCode
const deviceNo = text('设备编号', 'Device', { max: 32 })
export const HighVideo = entity({
  deviceNo,
  name: text('名称', 'Name', { max: 64 }),
  parkCode,
  online: yes('在线', 'Online'),
  lastFrameAt: orNone(instant('最近画面', 'Latest picture')),
  /** By its newest messages; none: it has said nothing yet, or only what it kept while it was cut off. */
  clockOffsetSec: orNone(whole('时钟偏差', 'Clock drift', { unit: 'second' })),
  seatsBound: whole('绑定泊位', 'Berths'),
  /** Berths where nothing was seen for a day. */
  blindSeats: shaped('盲区泊位', 'Blind berths', listOf(Berth.properties.seatCode)),
  verdict: among('结论', 'Check result', VideoVerdict),
})
const Ticket = entity({
  url: text('播放地址', 'Playback URL', { max: 300 }),
  protocol: text('协议', 'Protocol', { max: 16 }),
  expiresAt: instant('有效期至', 'Valid until'),
})
const reason = text('原因', 'Reason', { max: 200 })
const view = { service: 'device', needs: 'roadside:camera:view' } as const
const edit = { service: 'device', needs: 'roadside:camera:edit', writes: true, does: ['移除高位视频', 'Removed a high-pole camera'] } as const
const plays = { service: 'device', needs: 'roadside:camera:play', writes: true, does: ['查看实时画面', 'Watched a live view'] } as const

const remove = call('roadside.high-video.delete', {
  ...edit,
  get: '/highVideo/deleteHighVideo',
  query: message({ deviceNo, reason }),
  reply: nothing,
})
/** A ticket of one minute for one connection of this session; the camera's own address is told to nobody. Asked again it is the same ticket while nobody has used it. */
const play = call('roadside.high-pole.play', { ...plays, get: '/device/highPole/play', query: message({ deviceNo }), reply: Ticket })

export const highVideo = {
  check: call('roadside.high-video.check', {
    ...view,
    get: '/highVideo/checkHighVideo',
    query: message({}, { parkCode, deviceNo }),
    reply: listOf(HighVideo),
  }),
  delete: remove,
  deletePost: posted('roadside.high-video.delete-post', remove),
  byPark: call('roadside.high-pole.by-park', {
    ...view,
    get: '/device/highPoleByPark',
    query: message({ parkCode }, { type: among('相机类型', 'Camera type', PoleCamera) }),
    reply: listOf(
      entity({
        deviceNo,
        name: HighVideo.properties.name,
        parkCode,
        type: among('相机类型', 'Camera type', PoleCamera),
        online: HighVideo.properties.online,
        seatsBound: HighVideo.properties.seatsBound,
      }),
    ),
  }),
  play,
  playPost: posted('roadside.high-pole.play-post', play),
  stream: call('roadside.high-pole.stream', {
    ...view,
    own: true,
    file: true,
    writes: true,
    logged: false,
    does: ['打开实时画面', 'Opened a live view'],
    needs: 'roadside:camera:play',
    get: '/device/highPole/stream',
    query: message({ ticket: id<'PlayId'>('凭证', 'Ticket') }),
    reply: nothing,
  }),
}
