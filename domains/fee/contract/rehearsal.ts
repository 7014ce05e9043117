import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  entity,
  fen,
  id,
  instant,
  listOf,
  message,
  moves,
  nothing,
  type Of,
  orNone,
  plate,
  ref,
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { Quote } from './quote.ts'
import { Rule } from './rule.ts'

export const RehearsalState = dictionary('fee_rehearsal_state', ['测算状态', 'Rehearsal status'], {
  waiting: [1, '排队中', 'Waiting'],
  running: [2, '测算中', 'Running', 'warning'],
  done: [3, '已完成', 'Done', 'success'],
  failed: [4, '未完成', 'Failed', 'error'],
  cancelled: [5, '已取消', 'Cancelled'],
})
export const rehearsalCan = moves(RehearsalState, { cancel: { 1: 5, 2: 5 } })
export type RehearsalId = 'RehearsalId'

const stays = (zh: string, en: string) => whole(zh, en, { min: 0 })
/** Stays whose fee would have changed by so much. None: without an end. */
export const Bin = entity({
  fromFen: orNone(fen('从', 'From')),
  toFen: orNone(fen('到', 'Up to')),
  stays: stays('停车数', 'Stays'),
})
export const ParkChange = entity({
  parkCode: text('车场编号', 'Car park code', { max: 24 }),
  stays: stays('停车数', 'Stays'),
  dearerStays: stays('涨价', 'Higher'),
  cheaperStays: stays('降价', 'Lower'),
  beforeFen: fen('原应收', 'Receivable before'),
  afterFen: fen('新应收', 'Receivable after'),
})
/** A rehearsal of a draft over the real stays of the last days, and the changes that it would have made. It moves no money. */
export const Rehearsal = entity(['影响测算', 'Rehearsal'], {
  id: id<RehearsalId>(),
  ruleVersionId: Rule.properties.id,
  days: whole('回看范围', 'Look-back', { unit: 'day', min: 1, max: 90 }),
  /** Empty: wherever an earlier version of the rule was charged. */
  parkCodes: shaped('车场', 'Car parks', listOf(text('车场编号', 'Car park code', { max: 24 }), { max: 200 })),
  state: among('状态', 'Status', RehearsalState),
  staysFrom: instant('入场自', 'Entered from'),
  staysTo: instant('入场至', 'Entered to'),
  /** Null: not counted yet. */
  staysTotal: orNone(stays('停车总数', 'Total stays')),
  staysDone: stays('已测算', 'Rehearsed'),
  /** Stays whose charge does not follow from the rule alone: a fee set by hand, several areas, a rule that is gone. They are in no sum. */
  unlikeStays: stays('不可比', 'Not comparable'),
  dearerStays: stays('涨价停车', 'Stays higher'),
  dearerFen: fen('涨价合计', 'Total increase'),
  cheaperStays: stays('降价停车', 'Stays lower'),
  cheaperFen: fen('降价合计', 'Total decrease'),
  beforeFen: fen('原应收', 'Receivable before'),
  afterFen: fen('新应收', 'Receivable after'),
  spread: shaped('差额分布', 'Spread', listOf(Bin)),
  byPark: shaped('各车场', 'By car park', listOf(ParkChange)),
  startedBy: text('发起人', 'Started by'),
  finishedAt: orNone(instant('完成时间', 'Finished at')),
  overrideReason: orNone(text('放行原因', 'Override reason', { max: 200 })),
  overriddenBy: orNone(text('放行人', 'Overridden by')),
  version: whole('版本', 'Version'),
  createdAt: instant('发起时间', 'Started at'),
  updatedAt: instant('更新时间', 'Updated at'),
})
export type RehearsalOf = Of<typeof Rehearsal>

/** One stay that would have cost something else. */
export const RehearsedStay = entity(['测算停车', 'Rehearsed stay'], {
  id: id<'RehearsedStayId'>(),
  rehearsalId: ref<RehearsalId>('影响测算', 'Rehearsal'),
  stayId: ref<'StayId'>('停车记录', 'Stay'),
  parkCode: text('车场编号', 'Car park code', { max: 24 }),
  plateNo: orNone(plate()),
  entryTime: instant('入场时间', 'Entered at'),
  /** The time until which it was charged: its exit, or when it was paid before. */
  until: instant('计费至', 'Billed until'),
  beforeFen: fen('原费用', 'Fee before'),
  afterFen: fen('新费用', 'Fee after'),
  deltaFen: fen('差额', 'Difference'),
})
export const rehearsalSearch = searchOf(Rehearsal, { ruleVersionId: 'equals', state: 'among' }, { sort: ['createdAt'] })
export const rehearsedSearch = searchOf(
  RehearsedStay,
  { rehearsalId: 'equals', parkCode: 'equals', plateNo: 'plate', deltaFen: 'between' },
  { sort: ['deltaFen', 'entryTime'] },
)

/** The rehearsal's result for a person who wants to publish the draft as it stands now. */
export const RehearsalVerdict = entity({
  /** The last one of the draft as it is now. */
  rehearsal: orNone(shaped('影响测算', 'Rehearsal', Rehearsal)),
  /** The change of the receivable, in permille; null: nothing was received before. */
  changePermille: orNone(whole('应收变化', 'Receivable change', { unit: 'permille' })),
  limitPercent: whole('发布阈值', 'Publishing threshold', { unit: 'percent', min: 0 }),
  /** Publishing waits for a rehearsal, or for somebody who lets it through. */
  missing: yes('须先测算', 'Rehearsal required'),
  over: yes('超过阈值', 'Over the threshold'),
})

const common = { own: true, service: 'fee' } as const
const view = { ...common, needs: 'fee:rehearsal:view' } as const
const run = { ...common, needs: 'fee:rehearsal:run', writes: true } as const
const one = message({ id: Rehearsal.properties.id })
export const rehearsal = {
  queryPage: call('fee.rehearsal.query-page', { ...view, post: '/feeRehearsal/queryPage', body: paged(rehearsalSearch), reply: pageOf(Rehearsal) }),
  /** Over the stays that earlier versions of the rule were charged for, or over those of the parks that are named. */
  start: call('fee.rehearsal.start', {
    ...run,
    post: '/feeRehearsal/start',
    does: ['发起收费规则影响测算', 'Started a rehearsal of a fee rule'],
    body: message({ ruleVersionId: Rule.properties.id, days: Rehearsal.properties.days }, { parkCodes: Rehearsal.properties.parkCodes }),
    reply: one,
  }),
  cancel: call('fee.rehearsal.cancel', {
    ...run,
    post: '/feeRehearsal/cancel',
    does: ['取消收费规则影响测算', 'Cancelled a rehearsal of a fee rule'],
    body: one,
    reply: nothing,
  }),
  verdict: call('fee.rehearsal.verdict', {
    ...view,
    get: '/feeRehearsal/verdict',
    query: message({ ruleVersionId: Rule.properties.id }),
    reply: RehearsalVerdict,
  }),
  stays: call('fee.rehearsal.stays', { ...view, post: '/feeRehearsal/stays', body: paged(rehearsedSearch), reply: pageOf(RehearsedStay) }),
  /** Both derivations of one stay, worked out again. */
  stay: call('fee.rehearsal.stay', {
    ...view,
    heavy: true,
    get: '/feeRehearsal/stay',
    query: message({ id: RehearsedStay.properties.id }),
    reply: message({
      stay: shaped('停车', 'Stay', RehearsedStay),
      before: shaped('原费用', 'Fee before', Quote),
      after: shaped('新费用', 'Fee after', Quote),
    }),
  }),
}
