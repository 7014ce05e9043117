import type { Domain } from '../../../platform/server/domain.ts'
import { menu } from '../contract/menu.ts'
import { tasks } from './life.ts'
import { nouns } from './nouns.ts'
import { calls as patrolRules } from './patrolRule.ts'
import { calls as statistics } from './statistics.ts'
import { calls as scheduling } from './task.ts'

export const inspection: Domain = {
  name: 'inspection',
  calls: [...patrolRules, ...scheduling, ...statistics],
  menu,
  nouns,
  tasks,
}
