import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  degrees,
  dictionary,
  entity,
  listOf,
  message,
  nothing,
  orNone,
  pick,
  pickSome,
  rowFields,
  type Schema,
  shaped,
  text,
  whole,
} from '../../../platform/contract/field.ts'
import { Park, UseStatus } from '../../parking/contract/park.ts'

export const Side = dictionary('section_side', ['道路侧', 'Side of road'], {
  left: [1, '左侧', 'Left'],
  right: [2, '右侧', 'Right'],
  both: [3, '双侧', 'Both'],
})
export const SectionLevel = dictionary('section_level', ['路段等级', 'Section class'], {
  first: [1, '一类', 'Class 1'],
  second: [2, '二类', 'Class 2'],
  third: [3, '三类', 'Class 3'],
})
export const TollMode = dictionary('toll_mode', ['收费方式', 'Collection method'], {
  handheld: [1, 'PDA', 'Handheld'],
  sensor: [2, '地磁', 'Berth sensors'],
  highPole: [3, '高位视频', 'High-pole cameras'],
  videoPile: [4, '视频桩', 'Video piles'],
})
export { statusCan as flagCan } from '../../parking/contract/park.ts'

export type SectionId = 'SectionId'
const Line = listOf(listOf(degrees('坐标', 'Coordinate'), { max: 2 }), { max: 500 }) as Schema<number[][]>
/** Of what is farther from a section than this nobody says that it is there. */
export const NEAR_M = 300
/** A stretch of road with berths (路段). For fee rules it ranks as an area does. */
export const Section = entity(['路段', 'Section'], {
  ...rowFields<SectionId>(),
  parkCode: Park.properties.parkCode,
  sectionCode: text('路段编号', 'Section code', { max: 24, pattern: '^[A-Za-z0-9][A-Za-z0-9_-]*$' }),
  name: text('路段名称', 'Section'),
  side: among('道路侧', 'Side', Side),
  level: among('等级', 'Class', SectionLevel),
  /** Where it runs: longitude and latitude in WGS-84, point by point. */
  line: shaped('走向', 'Line', Line),
  tollMode: among('收费方式', 'Collection method', TollMode),
  flag: among('状态', 'Status', UseStatus),
  remark: orNone(text('备注', 'Remark', { max: 500 })),
})
export const SectionNow = entity({
  ...Section.properties,
  parkName: text('片区', 'District'),
  seats: whole('泊位数', 'Berths'),
  occupied: whole('在停', 'Occupied'),
  boundSeats: whole('已绑设备泊位', 'Berths with a device'),
  /** Null: no published rule covers it, and nothing could be charged there. */
  ruleName: orNone(text('收费规则', 'Fee rule', { max: 200 })),
})
export const SectionChoice = pick(Section, 'parkCode', 'sectionCode', 'name', 'flag')
export const sectionSearch = searchOf(
  Section,
  { parkCode: 'equals', sectionCode: 'equals', name: 'contains', tollMode: 'among', level: 'among', flag: 'among' },
  { sort: ['sectionCode', 'createdAt'], ascending: true },
)

const WRITTEN = ['line', 'remark'] as const
const view = { service: 'business', needs: 'roadside:section:view' } as const
const edit = { service: 'business', needs: 'roadside:section:edit', writes: true } as const
export const section = {
  find: call('roadside.section.find-park-area', { ...view, post: '/roadInfo/findParkArea', body: paged(sectionSearch), reply: pageOf(SectionNow) }),
  add: call('roadside.section.add-park-area', {
    ...edit,
    does: ['新增路段', 'Added a section'],
    post: '/roadInfo/addParkArea',
    body: pickSome(Section, ['parkCode', 'sectionCode', 'name', 'side', 'level', 'tollMode'], WRITTEN),
    reply: Section,
  }),
  edit: call('roadside.section.edit-park-area', {
    ...edit,
    does: ['修改路段', 'Changed a section'],
    post: '/roadInfo/editParkArea',
    body: pickSome(Section, ['id', 'version'], ['name', 'side', 'level', 'tollMode', ...WRITTEN]),
    reply: Section,
  }),
  info: call('roadside.section.select-area-info', {
    ...view,
    post: '/roadInfo/selectAreaInfo',
    body: pick(Section, 'sectionCode'),
    reply: SectionNow,
  }),
  changeFlag: call('roadside.section.change-park-area-flag', {
    ...edit,
    needs: 'roadside:section:enable',
    does: ['启用停用路段', 'Enabled or disabled a section'],
    post: '/roadInfo/changeParkAreaFlag',
    form: message(
      { id: Section.properties.id, version: Section.properties.version, flag: Section.properties.flag },
      { reason: text('原因', 'Reason', { max: 200 }) },
    ),
    reply: nothing,
  }),
  /** For pickers: those that are switched on. */
  choices: call('roadside.section.select-park-area', {
    forPrograms: true,
    service: 'business',
    needs: 'signed-in',
    post: '/roadInfo/selectParkArea',
    body: message({}, { parkCode: Section.properties.parkCode }),
    reply: listOf(SectionChoice),
  }),
}
