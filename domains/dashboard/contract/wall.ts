import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  empty,
  entity,
  fen,
  id,
  instant,
  listOf,
  message,
  nothing,
  orNone,
  pick,
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { ChargingWall } from '../../charging/contract/wall.ts'
import { Park } from '../../parking/contract/park.ts'
import { FlowHour, ParkMove, ParkPoint } from '../../parking/contract/screen.ts'
import { RoadOverview, RoadPark, RoadResources } from '../../roadside/contract/screen.ts'
import { RoadWall } from '../../roadside/contract/wall.ts'

export const WallScreen = dictionary('wall_screen', ['大屏画面', 'Wall screen'], {
  parking: [1, '停车场', 'Car parks'],
  roadside: [2, '路内停车', 'Roadside parking'],
  charging: [3, '充电', 'Charging'],
})
export const LinkState = dictionary('wall_link_state', ['大屏链接状态', 'Wall link status'], {
  valid: [1, '有效', 'Valid', 'success'],
  expired: [2, '已过期', 'Expired', 'default'],
  revoked: [3, '已吊销', 'Revoked', 'error'],
})
/** A link that shows walls where nobody signs in: figures of the parks that its maker saw when it was made, and nothing else; amounts only where it says so. Its text is shown once. */
export const WallLink = entity(['大屏链接', 'Wall link'], {
  id: id<'WallLinkId'>(),
  name: text('名称', 'Name', { max: 60 }),
  screens: shaped('画面', 'Screens', listOf(among('画面', 'Screen', WallScreen), { max: 3 })),
  /** Empty: all of the company's. */
  parkCodes: shaped('车场', 'Car parks', listOf(Park.properties.parkCode, { max: 200 })),
  /** Of them only those that lie in it now. */
  regionCode: orNone(Park.properties.regionCode),
  money: yes('显示金额', 'Show amounts'),
  /** How long each screen stays. */
  rotateSec: whole('轮播间隔', 'Rotation interval', { unit: 'second', min: 10, max: 600 }),
  state: among('状态', 'Status', LinkState),
  expiresAt: instant('到期时间', 'Expires at'),
  seenAt: orNone(instant('最近显示', 'Last shown')),
  makerName: text('创建人', 'Created by'),
  revokedAt: orNone(instant('吊销时间', 'Revoked at')),
  revokedBy: orNone(text('吊销人', 'Revoked by')),
  createdAt: instant('创建时间', 'Created at'),
  version: whole('版本', 'Version'),
})
export const wallLinkSearch = searchOf(WallLink, { name: 'contains' }, { sort: ['createdAt'] })
/** No link lives longer. */
export const LINK_DAYS_MAX = 365

const { name, screens, parkCodes, rotateSec, money } = WallLink.properties
const { regionCode } = Park.properties
const edit = { service: 'business', needs: 'dashboard:wall-link:edit', writes: true, own: true } as const
export const wallLink = {
  query: call('dashboard.wall-link.query', {
    service: 'business',
    post: '/wallLink/queryPage',
    needs: 'dashboard:wall-link:view',
    own: true,
    body: paged(wallLinkSearch),
    reply: pageOf(WallLink),
  }),
  add: call('dashboard.wall-link.add', {
    ...edit,
    post: '/wallLink/add',
    does: ['新建大屏链接', 'Created a wall link'],
    body: message(
      { name, screens, rotateSec, days: whole('有效期', 'Valid for', { unit: 'day', min: 1, max: LINK_DAYS_MAX }) },
      { parkCodes, regionCode, money },
    ),
    reply: message({ id: WallLink.properties.id, token: text('口令', 'Token') }),
  }),
  /** The wall goes dark the next time that it asks. */
  revoke: call('dashboard.wall-link.revoke', {
    ...edit,
    post: '/wallLink/revoke',
    does: ['吊销大屏链接', 'Revoked a wall link'],
    body: message({ id: WallLink.properties.id }),
    reply: nothing,
  }),
}

/** The street without its money. */
export const StreetFigures = pick(RoadOverview, 'seatTotal', 'occupied', 'free', 'abnormal', 'disabled', 'orders', 'paidOrders', 'payRate', 'at')
const Taken = entity({ receivableFen: fen('今日应收', 'Receivable today'), netFen: fen('今日净收', 'Net today') })
const StreetMoney = pick(RoadOverview, 'receivableFen', 'paidFen', 'arrearsFen')
/** Of the day so far, as the console's pages have it. */
export const WallMoney = entity({
  /** All parks, as the ledger has it. */
  parks: orNone(shaped('停车场', 'Car parks', Taken)),
  street: orNone(shaped('路内停车', 'Roadside parking', StreetMoney)),
  charging: orNone(shaped('充电', 'Charging', Taken)),
})
/** All that a wall shows at one moment: no plate and no name, and amounts where its link says so. */
export const WallSnapshot = entity({
  name,
  screens,
  rotateSec,
  expiresAt: WallLink.properties.expiresAt,
  at: instant('数据时间', 'As of'),
  parks: orNone(shaped('停车场', 'Car parks', listOf(ParkPoint))),
  flow: orNone(shaped('逐时进出', 'Entries and exits per hour', listOf(FlowHour))),
  moves: orNone(shaped('最近进出', 'Latest entries and exits', listOf(ParkMove))),
  street: orNone(
    shaped(
      '路内停车',
      'Roadside parking',
      entity({
        overview: shaped('路内停车', 'Roadside parking', StreetFigures),
        flow: shaped('逐时', 'By hour', RoadWall),
        resources: shaped('设备', 'Devices', RoadResources),
        districts: shaped('片区', 'Districts', listOf(RoadPark)),
      }),
    ),
  ),
  charging: orNone(shaped('充电', 'Charging', ChargingWall)),
  money: orNone(shaped('金额', 'Amounts', WallMoney)),
})
export const wall = {
  snapshot: call('dashboard.wall.snapshot', {
    service: 'business',
    get: '/wall/snapshot',
    needs: 'wall',
    own: true,
    query: empty,
    reply: WallSnapshot,
  }),
}
