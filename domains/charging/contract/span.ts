import { among, dictionary, edge, instant } from '../../../platform/contract/field.ts'
import { Operator } from './operator.ts'
import { Station } from './station.ts'

/** By what figures are put together. */
export const GroupBy = dictionary('charging_group_by', ['汇总方式', 'By'], {
  hour: [1, '时', 'Hour'],
  day: [2, '日', 'Day'],
  month: [3, '月', 'Month'],
  station: [4, '站', 'Station'],
})
/** With which time figures are compared. */
export const Compare = dictionary('charging_compare', ['对比', 'Compared with'], {
  before: [1, '环比', 'Previous period'],
  lastYear: [2, '同比', 'Same period last year'],
})
/** No figure is asked of a longer time. */
export const SPAN_DAYS_MAX = 366

const time = instant('时间', 'Time')
/** Of when figures are, and of which stations; both ends belong to it. */
export const SPAN = { timeFrom: edge(time, 'first'), timeTo: edge(time, 'last') }
export const WHERE = { stationId: Station.properties.stationId, operatorId: Operator.properties.operatorId }
export const HOW = { groupBy: among('汇总方式', 'By', GroupBy), compare: among('对比', 'Compared with', Compare) }
