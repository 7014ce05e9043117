import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import { among, dictionary, entity, id, instant, message, orNone, personal, text, whole, yes } from '../../../platform/contract/field.ts'
import { Equipment, PileState } from './pile.ts'
import { parkCode } from './units.ts'
import { ownPassword } from '../../identity/contract/session.ts'

export const Direction = dictionary('charging_frame_direction', ['方向', 'Direction'], {
  received: [1, '桩→平台', 'From the pile'],
  sent: [2, '平台→桩', 'To the pile'],
})
export const FrameKind = dictionary('charging_frame_kind', ['报文类型', 'Frame type'], {
  call: [2, '请求', 'Call'],
  result: [3, '应答', 'Result', 'success'],
  error: [4, '错误', 'Error', 'error'],
  leftOut: [5, '部分内容已忽略', 'Partly left out', 'warning'],
  broken: [9, '无法解析', 'Unreadable', 'error'],
})
export const LinkRefusal = dictionary('charging_link_refusal', ['拒绝接入原因', 'Reason for refusal'], {
  credentials: [1, '密钥错误', 'Wrong secret'],
  disabled: [2, '桩未投用或已报废', 'Not in use'],
  protocol: [3, '协议版本不符', 'Wrong protocol version'],
  noSecret: [4, '尚未生成密钥', 'No secret yet'],
  certificate: [5, '没有本桩的客户端证书', 'No client certificate of this pile'],
})

/** What there is to know about the line to a pile. */
export const PileLink = entity(['桩通信', 'Pile connection'], {
  equipmentId: Equipment.properties.equipmentId,
  parkCode,
  chargePointId: Equipment.properties.chargePointId,
  protocol: Equipment.properties.protocol,
  online: PileState.properties.online,
  lastSeenAt: PileState.properties.lastSeenAt,
  connectedAt: PileState.properties.connectedAt,
  bootAt: PileState.properties.bootAt,
  vendor: PileState.properties.vendor,
  model: PileState.properties.model,
  serialNo: PileState.properties.serialNo,
  firmware: PileState.properties.firmware,
  skewSec: PileState.properties.skewSec,
  ip: orNone(text('来源地址', 'Source address', { max: 64 })),
  /** Sub-protocol of its socket; a pile that asks for none is taken by its record. */
  subProtocol: orNone(text('子协议', 'Sub-protocol', { max: 20 })),
  hasSecret: yes('已有密钥', 'Has a secret'),
  /** The new one is good already, the old one until the first sign-in with it. */
  renewing: yes('密钥更换中', 'Secret being renewed'),
  signedInAt: orNone(instant('最近登录', 'Last sign-in')),
  refusedAt: orNone(instant('最近拒绝', 'Last refusal')),
  refusal: orNone(among('拒绝原因', 'Reason for refusal', LinkRefusal)),
  boots: whole('一小时内重启', 'Restarts, last hour', { min: 0 }),
})
/** One message as it crossed the line, what must not be read covered; kept for seven days. */
export const Frame = entity(['原始报文', 'Frame'], {
  id: id<'FrameId'>(),
  equipmentId: Equipment.properties.equipmentId,
  parkCode,
  at: instant('时间', 'Time'),
  direction: among('方向', 'Direction', Direction),
  kind: among('类型', 'Type', FrameKind),
  action: orNone(text('动作', 'Action', { max: 64 })),
  messageId: text('消息号', 'Message id', { max: 36 }),
  body: personal('account', text('内容', 'Content', { min: 0, max: 8_192 })),
})
export const frameSearch = searchOf(
  Frame,
  { equipmentId: 'equals', direction: 'among', kind: 'among', action: 'equals', messageId: 'equals', body: 'contains', at: 'between' },
  { sort: ['at'] },
)

const view = { service: 'charging', needs: 'charging:pile:view', own: true } as const
const { equipmentId } = Equipment.properties
export const pileLink = {
  link: call('charging.pile.link', { ...view, post: '/chargingPile/link', body: message({ equipmentId }), reply: PileLink }),
  frames: call('charging.pile.frames', {
    ...view,
    needs: 'charging:frame:view',
    post: '/chargingPile/frames',
    body: paged(frameSearch),
    reply: pageOf(Frame),
  }),
  /** Shown once. A pile that is connected is told it; the old one is good until the pile first comes with the new one. */
  rotateSecret: call('charging.pile.rotate-secret', {
    service: 'charging',
    needs: 'charging:secret:edit',
    writes: true,
    own: true,
    does: ['更换桩密钥', 'Renewed the secret of a pile'],
    post: '/chargingPile/rotateSecret',
    body: message({ equipmentId, reason: text('原因', 'Reason', { max: 100 }) }, ownPassword),
    reply: message({
      chargePointId: text('通信编号', 'Charge point id', { max: 48 }),
      secret: text('密钥', 'Secret', { max: 64 }),
      told: yes('已下发到桩', 'Sent to the pile'),
    }),
  }),
}
