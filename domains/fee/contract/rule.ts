import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  anything,
  dictionary,
  empty,
  entity,
  fen,
  id,
  instant,
  listOf,
  message,
  minutes,
  moves,
  nothing,
  type Of,
  orNone,
  pickSome,
  ref,
  shaped,
  text,
  whole,
} from '../../../platform/contract/field.ts'
import { VehicleClass } from '../../../platform/contract/plate.ts'
import { Quote } from './quote.ts'
import { TariffSchema } from './tariffSchema.ts'

export const RuleStatus = dictionary('fee_rule_status', ['规则状态', 'Rule status'], {
  draft: [0, '草稿', 'Draft', 'warning'],
  published: [1, '已发布', 'Published', 'success'],
  withdrawn: [2, '已停用', 'Withdrawn'],
})
export const ruleCan = moves(RuleStatus, { publish: { 0: 1 }, withdraw: { 1: 2 } })
export const RuleSource = dictionary('fee_rule_source', ['规则来源', 'Rule source'], {
  tables: [1, '时段表', 'Band tables'],
  document: [2, '规则文档', 'Document'],
})
export const FreeMode = dictionary('fee_free_mode', ['免费方式', 'Free time mode'], {
  beyondCharged: [1, '超出全额计', 'All billed once exceeded'],
  takenOff: [2, '扣除免费时长', 'Free time deducted'],
})
export const DayUnit = dictionary('fee_day_unit', ['计费日', 'Fee day'], {
  calendar: [1, '自然日', 'Calendar day'],
  rolling: [2, '入场起 24 小时', '24 hours from entry'],
  ownStart: [3, '自定义日切', 'Custom day start'],
})
export const UnitAnchor = dictionary('fee_unit_anchor', ['单元跨段', 'Units across bands'], {
  runsOn: [1, '顺延', 'Runs on'],
  endWithBand: [2, '按段重算', 'Ends with the band'],
})
export const SecondRule = dictionary('fee_second_rule', ['秒的处理', 'Seconds'], {
  drop: [1, '舍去秒', 'Dropped'],
  count: [2, '进一分钟', 'Rounded up to a minute'],
})

export type RuleVersionId = 'RuleVersionId'
export type RuleId = 'RuleId'
const DAY_MINUTES = 1439
/** One version of a fee rule (计费规则). `ruleId` is the same for all its versions; `id` names this version and is what a stay keeps. */
export const Rule = entity({
  id: id<RuleVersionId>('版本编号', 'Version id'),
  ruleId: ref<RuleId>('规则编号', 'Rule id'),
  versionNo: whole('版本号', 'Version number', { min: 1 }),
  name: text('规则名称', 'Name', { max: 100 }),
  /** Empty: for all. */
  vehicleClasses: shaped('适用车型', 'Vehicle classes', listOf(among('车型', 'Vehicle class', VehicleClass), { max: 20 })),
  source: among('来源', 'Source', RuleSource),
  freeMin: whole('免费时长', 'Free time', { unit: 'minute', min: 0, max: DAY_MINUTES }),
  freeMode: among('免费方式', 'Free time mode', FreeMode),
  freeTimesPerDay: whole('每日免费次数', 'Free stays per day', { min: 0, max: 100 }),
  dayUnit: among('计费日', 'Fee day', DayUnit),
  dayCutMin: whole('日切时刻', 'Day starts at', { unit: 'minute', min: 0, max: DAY_MINUTES }),
  dayCapFen: orNone(fen('每日封顶', 'Daily cap', { min: 0 })),
  /** The cap of such calendar days, where it is not that of every day. */
  weekendCapFen: orNone(fen('周末封顶', 'Weekend cap', { min: 0 })),
  holidayCapFen: orNone(fen('节假日封顶', 'Holiday cap', { min: 0 })),
  wholeDayFen: orNone(fen('满 24 小时价', 'Price per full 24 hours', { min: 0 })),
  sessionCapFen: orNone(fen('单次封顶', 'Stay cap', { min: 0 })),
  unitAnchor: among('单元跨段', 'Units across bands', UnitAnchor),
  secondRule: among('秒的处理', 'Seconds', SecondRule),
  priority: whole('优先级', 'Priority', { min: -1000, max: 1000 }),
  status: among('状态', 'Status', RuleStatus),
  effectiveFrom: orNone(instant('生效时间', 'In force from')),
  effectiveTo: orNone(instant('失效时间', 'In force until')),
  publishedBy: orNone(text('发布人', 'Published by')),
  publishedAt: orNone(instant('发布时间', 'Published at')),
  remark: orNone(text('备注', 'Remark', { max: 500 })),
  version: whole('版本', 'Version'),
  createdAt: instant('创建时间', 'Created at'),
  updatedAt: instant('更新时间', 'Updated at'),
})
export const ruleSearch = searchOf(
  Rule,
  { name: 'contains', ruleId: 'equals', status: 'among', source: 'equals', effectiveFrom: 'between' },
  { sort: ['createdAt'] },
)

/** Something that keeps a rule from being published (`error`), or that one should know. `minute` is the minute of the day it speaks of. */
/** A stay near what a check speaks of, and what it costs as the tariff stands. */
export const LintExample = entity({ from: instant('入场', 'Entered at'), to: instant('出场', 'Left at'), feeFen: fen('费用', 'Fee') })
export const Lint = entity({
  level: text('级别', 'Level', { max: 8, pattern: '^(error|warning)$' }),
  code: text('代码', 'Code', { max: 32 }),
  minute: orNone(minutes('时刻', 'Minute of the day')),
  zh: text('说明', 'Text in Chinese', { max: 300 }),
  en: text('英文说明', 'Text in English', { max: 300 }),
  examples: shaped('举例', 'Examples', listOf(LintExample, { max: 3 })),
})
export type LintOf = Of<typeof Lint>
/** Hours that no band speaks of; an import says that they are free. */
export const Gap = entity({ from: text('起', 'From'), to: text('止', 'To'), dayType: whole('日期类型', 'Days', { min: 1, max: 7 }) })

/** A version as a whole: the tariff that prices follow, and the faults that forbid publishing it. */
export const RuleDetail = entity({
  rule: shaped('规则', 'Rule', Rule),
  /** Null: its tables are not complete yet; `lint` says what is missing. */
  tariff: orNone(shaped('计费文档', 'Tariff', TariffSchema)),
  lint: shaped('检查', 'Checks', listOf(Lint)),
  versions: shaped('历史版本', 'Versions', listOf(Rule)),
})

const WRITTEN = [
  'vehicleClasses',
  'freeMin',
  'freeMode',
  'freeTimesPerDay',
  'dayUnit',
  'dayCutMin',
  'dayCapFen',
  'weekendCapFen',
  'holidayCapFen',
  'wholeDayFen',
  'sessionCapFen',
  'unitAnchor',
  'secondRule',
  'priority',
  'effectiveFrom',
  'effectiveTo',
  'remark',
] as const

const own = { own: true, service: 'fee' } as const
const edit = { service: 'fee', needs: 'fee:rule:edit', writes: true } as const
const view = { service: 'fee', needs: 'fee:rule:view' } as const
const versionId = message({ id: Rule.properties.id })
const stayFacts = {
  entry: instant('入场时间', 'Entry'),
}
const stayMore = {
  at: instant('计费至', 'Until'),
  covered: listOf(entity({ from: instant('起', 'From'), to: instant('止', 'To') }), { max: 100 }),
  paidFen: Quote.properties.paidFen,
  /** How often the vehicle has had its free minutes today. */
  freeUsed: whole('当日已免费次数', 'Free stays used today', { min: 0, max: 1000 }),
}
const period = { effectiveFrom: instant('生效时间', 'In force from'), effectiveTo: instant('失效时间', 'In force until') }
const among9 = whole('车辆类型', 'Car type', { min: 1, max: 9 })

export const rule = {
  queryPage: call('fee.rule.query-page', { ...view, post: '/feeRule/queryPage', body: paged(ruleSearch), reply: pageOf(Rule) }),
  insert: call('fee.rule.insert', {
    ...edit,
    post: '/feeRule/insert',
    does: ['新增收费规则', 'Added a fee rule'],
    body: pickSome(Rule, ['name'], WRITTEN),
    reply: message({ id: Rule.properties.id, ruleId: Rule.properties.ruleId }),
  }),
  update: call('fee.rule.update', {
    ...edit,
    post: '/feeRule/update',
    does: ['修改收费规则', 'Changed a fee rule'],
    body: pickSome(Rule, ['id', 'version'], ['name', ...WRITTEN]),
    reply: message({ id: Rule.properties.id }),
  }),
  /** Deletes a draft only: a published version stays. */
  delete: call('fee.rule.delete', {
    service: 'fee',
    needs: 'fee:rule:delete',
    writes: true,
    delete: '/feeRule/delete',
    does: ['删除收费规则', 'Deleted a fee rule'],
    query: versionId,
    reply: nothing,
  }),
  /** Quotes a stay by the version named, or by the rule tied to the park and car. Writes nothing. */
  calFee: call('fee.rule.cal-fee', {
    ...view,
    heavy: true,
    post: '/feeRule/calFee',
    body: message(stayFacts, {
      ...stayMore,
      ruleVersionId: Rule.properties.id,
      parkCode: text('车场编号', 'Car park code', { max: 24 }),
      areaCode: text('区域编号', 'Area code', { max: 24 }),
      plateNo: text('车牌号', 'Plate', { max: 16 }),
      vehicleClass: among('车型', 'Vehicle class', VehicleClass),
      carKind: among9,
      memberGroup: text('月卡类型', 'Pass type', { max: 40 }),
    }),
    reply: Quote,
  }),
  dayUnit: call('fee.rule.day-unit', {
    ...view,
    get: '/feeRule/dayUnit',
    query: empty,
    reply: listOf(message({ ival: whole('代码', 'Code'), cval: text('名称', 'Name'), itemEn: text('英文名称', 'English name') })),
  }),

  detail: call('fee.rule.detail', { ...own, needs: 'fee:rule:view', get: '/feeRule/detail', query: versionId, reply: RuleDetail }),
  /** Any tariff against any stay, kept or not: for trying a document before it is imported. */
  trial: call('fee.rule.trial', {
    ...own,
    needs: 'fee:rule:view',
    heavy: true,
    post: '/feeRule/trial',
    body: message({ ...stayFacts, tariff: TariffSchema }, stayMore),
    reply: Quote,
  }),
  /** A rule document: our own, or tariffs as cities publish them. Each rule in it becomes a draft. `rule` picks one of several. */
  import: call('fee.rule.import', {
    ...own,
    needs: 'fee:rule:edit',
    writes: true,
    post: '/feeRule/import',
    does: ['导入收费规则', 'Imported a fee rule'],
    body: message({ document: anything }, { name: Rule.properties.name, rule: text('规则', 'Rule', { max: 100 }), ruleId: Rule.properties.ruleId }),
    reply: listOf(
      message({
        id: Rule.properties.id,
        name: Rule.properties.name,
        gaps: listOf(Gap),
        lint: listOf(Lint),
      }),
    ),
  }),
  /** From then on it never changes. The version in force until then ends at that moment. */
  publish: call('fee.rule.publish', {
    ...own,
    needs: 'fee:rule:publish',
    writes: true,
    post: '/feeRule/publish',
    does: ['发布收费规则', 'Published a fee rule'],
    body: message({ id: Rule.properties.id, version: Rule.properties.version }, period),
    reply: message({ id: Rule.properties.id, lint: listOf(Lint) }),
  }),
  /** The same for what was not rehearsed, or changes more than is allowed; the audit keeps the reason. */
  publishOver: call('fee.rule.publish-over', {
    ...own,
    needs: 'fee:rule:override',
    writes: true,
    post: '/feeRule/publishOver',
    does: ['放行并发布收费规则', 'Published a fee rule by override'],
    body: message({ id: Rule.properties.id, version: Rule.properties.version, reason: text('放行原因', 'Override reason', { max: 200 }) }, period),
    reply: message({ id: Rule.properties.id, lint: listOf(Lint) }),
  }),
  withdraw: call('fee.rule.withdraw', {
    ...own,
    needs: 'fee:rule:publish',
    writes: true,
    post: '/feeRule/withdraw',
    does: ['撤回收费规则', 'Withdrew a fee rule'],
    body: message({ id: Rule.properties.id, version: Rule.properties.version, reason: text('原因', 'Reason', { max: 200 }) }),
    reply: nothing,
  }),
  /** A new draft of a published rule, with its tables. */
  revise: call('fee.rule.revise', {
    ...own,
    needs: 'fee:rule:edit',
    writes: true,
    post: '/feeRule/revise',
    does: ['修订收费规则', 'Created a new version of a fee rule'],
    body: versionId,
    reply: message({ id: Rule.properties.id }),
  }),
}
