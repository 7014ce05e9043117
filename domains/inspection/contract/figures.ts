import { whole } from '../../../platform/contract/field.ts'
import { figures, type Listed } from '../../../platform/contract/figure.ts'
import { PatrolStatistics } from './statistics.ts'
import { scheduling, TaskState } from './task.ts'

type Text = readonly [zh: string, en: string]

const planned = (counts: Text, ...states: number[]): Listed => ({
  ...{ counts, time: ['按计划结束时间', 'by when the task was to end'] },
  opens: {
    ...{ path: '/operation/maintain/rostering', call: scheduling.query },
    filter: ({ from, to, parkCode }) => ({ planToFrom: from, planToTo: to, parkCode, ...(states.length > 0 && { state: states.join(',') }) }),
  },
})
/** Tasks of patrols, and what became of them. */
export const PATROLS = figures(
  undefined,
  {
    ...PatrolStatistics.properties,
    due: whole('应完成任务', 'Tasks due'),
    done: whole('已完成任务', 'Tasks completed'),
    overdue: whole('逾期未完成', 'Tasks overdue'),
    missed: whole('漏检任务', 'Tasks missed'),
  },
  {
    due: planned([
      '计划时间已到的任务和提前完成的任务，取消的不计',
      'tasks whose time is over, and those completed before; cancelled ones are not counted',
    ]),
    done: planned(['已完成的任务，逾期完成的也在内', 'tasks that were completed, late or not'], TaskState.done),
    overdue: planned(['逾期、还没有完成、还可以补做的任务', 'tasks past their time that are not completed and can still be done'], TaskState.overdue),
    missed: planned(['逾期没有完成、不能再补做的任务', 'tasks that were not completed and can no longer be done'], TaskState.missed),
    patrolRate: planned(['已完成 ÷ 应完成；没有时为 --', 'completed ÷ due; -- where there are none'], TaskState.done),
    onTimeRate: planned(['在计划时间内完成的 ÷ 应完成；没有时为 --', 'completed in time ÷ due; -- where there are none'], TaskState.done),
    missRate: planned(['漏检 ÷ 应完成；没有时为 --', 'missed ÷ due; -- where there are none'], TaskState.missed),
  },
)
