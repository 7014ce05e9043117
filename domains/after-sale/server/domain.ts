import type { Domain } from '../../../platform/server/domain.ts'
import { on } from '../../../platform/server/events.ts'
import { keptOfOwner, ownerErased } from '../../owner/server/api.ts'
import { menu } from '../contract/menu.ts'
import { calls as cases } from './case.ts'
import { calls as evaluations } from './evaluation.ts'
import { orderWanted } from './events.ts'
import { calls as interviews } from './interview.ts'
import { tasks } from './life.ts'
import { calls as mine } from './mine.ts'
import { nouns } from './nouns.ts'
import { report } from './opening.ts'
import { forgetOwner, ofOwner } from './owners.ts'
import { records } from './records.ts'
import { calls as suggestions } from './suggestion.ts'
import { calls as workOrders } from './workOrder.ts'

export const afterSale: Domain = {
  name: 'after-sale',
  calls: [...suggestions, ...workOrders, ...interviews, ...evaluations, ...cases, ...mine],
  menu,
  records,
  nouns,
  tasks,
  start() {
    keptOfOwner.answer('after-sale', ofOwner)
    ownerErased.answer('after-sale', forgetOwner)
    on(orderWanted, 'after-sale.report', async ({ tx, data, at }) => void (await report(tx, data, at)))
  },
}
