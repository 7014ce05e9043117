import { id, text } from '../../../platform/contract/field.ts'
import type { Noun } from '../../../platform/server/record/nouns.ts'
import { Evaluation } from '../contract/evaluation.ts'
import { Interview } from '../contract/interview.ts'

export const nouns: Noun[] = [
  {
    table: 'after_sale.interview',
    entity: Interview,
    also: { visitorId: id('回访人编号', 'Interviewer (id)'), triedOn: text('最近尝试', 'Last tried on') },
  },
  { table: 'after_sale.evaluation', entity: Evaluation, also: { orderId: id('工单编号', 'Work order (id)') } },
]
