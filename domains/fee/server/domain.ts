import type { Domain } from '../../../platform/server/domain.ts'
import { menu } from '../contract/menu.ts'
import { calls as associates } from './associate.ts'
import { calls as carFees } from './carFee.ts'
import { calls as holidays } from './holiday.ts'
import { calls as rehearsals } from './rehearsal.ts'
import { rehearsalsIn, rehearsalTasks } from './rehearsing.ts'
import { calls as rules } from './rule.ts'
import { frequencyCalls, hourCalls, segmentCalls, stepCalls } from './segment.ts'
import { nouns } from './nouns.ts'
import { records } from './records.ts'

export const fee: Domain = {
  name: 'fee',
  calls: [...rules, ...rehearsals, ...associates, ...segmentCalls, ...frequencyCalls, ...hourCalls, ...stepCalls, ...holidays, ...carFees],
  menu,
  nouns,
  records,
  tasks: rehearsalTasks,
  start: rehearsalsIn,
}
