import { text } from '../../../platform/contract/field.ts'
import type { Noun } from '../../../platform/server/record/nouns.ts'
import { PatrolRecord } from '../contract/patrolRecord.ts'
import { KeptRule } from '../contract/patrolRule.ts'
import { KeptTask } from '../contract/task.ts'

export const nouns: Noun[] = [
  { table: 'inspection.rule', entity: KeptRule },
  { table: 'inspection.rule_park', label: ['规则的车场', 'Car park of a patrol rule'], entity: KeptTask, also: { ruleId: KeptRule.properties.id } },
  { table: 'inspection.task', entity: KeptTask },
  {
    table: 'inspection.record',
    entity: PatrolRecord,
    also: { collectorId: KeptTask.properties.collectorId, mid: text('提交标识', 'Message id') },
  },
]
