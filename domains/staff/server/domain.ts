import type { Domain } from '../../../platform/server/domain.ts'
import { on } from '../../../platform/server/events.ts'
import { parkHeld } from '../../parking/server/api.ts'
import { noticeOut } from '../../rent/server/api.ts'
import { collectorsOnDuty, handheldLocked } from '../../roadside/server/api.ts'
import { cashierOf, postOf } from '../../settlement/server/api.ts'
import { menu } from '../contract/menu.ts'
import { calls as attendances, tasks } from './attendance.ts'
import { calls as collectors } from './collector.ts'
import { calls as dashboards } from './dashboard.ts'
import { calls as handhelds, lockOf } from './handheld.ts'
import { heldBy } from './collectorRow.ts'
import { nouns } from './nouns.ts'
import { tellOfLetting } from './notice.ts'
import { calls as requests, tasks as requestTasks } from './request.ts'
import { calls as schedules } from './roster.ts'
import { calls as tills, cashierByNo, collecting, postOfPerson } from './till.ts'
import { calls as trackers } from './tracker.ts'
import { calls as warnings, ruleCalls } from './workWarning.ts'
import { tasks as watches } from './watching.ts'
import { calls as workGroups } from './workGroup.ts'
import { calls as workLogs } from './workLog.ts'
import { calls as workShifts } from './workShift.ts'

export const staff: Domain = {
  name: 'staff',
  calls: [
    ...collectors,
    ...handhelds,
    ...workGroups,
    ...workShifts,
    ...schedules,
    ...attendances,
    ...tills,
    ...requests,
    ...dashboards,
    ...trackers,
    ...workLogs,
    ...ruleCalls,
    ...warnings,
  ],
  menu,
  nouns,
  tasks: [...tasks, ...requestTasks, ...watches],
  start() {
    cashierOf.answer('staff', cashierByNo)
    parkHeld.answer('staff', heldBy)
    postOf.answer('staff', postOfPerson)
    handheldLocked.answer('staff', lockOf)
    collectorsOnDuty.answer('staff', collecting)
    on(noticeOut, 'staff.tell', ({ tx, data, at }) => tellOfLetting(tx, data, at))
  },
}
