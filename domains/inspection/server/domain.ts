import type { Domain } from '../../../platform/server/domain.ts'
import { shelving } from '../../device/server/api.ts'
import { menu } from '../contract/menu.ts'
import { tasks } from './life.ts'
import { nouns } from './nouns.ts'
import { calls as patrolRecords } from './patrolRecord.ts'
import { calls as results } from './result.ts'
import { calls as patrolRules } from './patrolRule.ts'
import { calls as repairs } from './repairCalls.ts'
import { repairRecords } from './repairRecords.ts'
import { refuseShelving } from './repairRow.ts'
import { calls as scraps } from './scrap.ts'
import { calls as statistics } from './statistics.ts'
import { calls as scheduling } from './task.ts'

export const inspection: Domain = {
  name: 'inspection',
  calls: [...patrolRules, ...scheduling, ...patrolRecords, ...results, ...statistics, ...repairs, ...scraps],
  menu,
  nouns,
  records: repairRecords,
  tasks,
  start() {
    shelving.answer('inspection', refuseShelving)
  },
}
