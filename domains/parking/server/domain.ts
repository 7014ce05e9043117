import type { Domain } from '../../../platform/server/domain.ts'
import { namesOf } from '../../../platform/server/sheets/cells.ts'
import { laneEvent, standsAt, stillWaiting } from '../../device/server/api.ts'
import { presentStay } from '../../fee/server/api.ts'
import { debtsOf, orderPaid } from '../../settlement/server/api.ts'
import { regionHeld } from '../../system/server/api.ts'
import { menu } from '../contract/menu.ts'
import { calls as areas } from './area.ts'
import { calls as gates, isPlace } from './gate.ts'
import { hearLane } from './hear.ts'
import { calls as lanes } from './laneBoard.ts'
import { orderSettled, stillStands } from './paid.ts'
import { calls as parks, parksHold } from './park.ts'
import { presentStayOf } from './presentStay.ts'
import { debts } from './questions.ts'
import { calls as screens } from './screen.ts'
import { calls as recordSheet } from './recordSheet.ts'
import { sheetNames } from './sheetNames.ts'
import { calls as stays } from './stay.ts'
import { tasks } from './upkeep.ts'
import { records } from './records.ts'
import { nouns } from './nouns.ts'

export const parking: Domain = {
  name: 'parking',
  calls: [...parks, ...areas, ...gates, ...stays, ...recordSheet, ...lanes, ...screens],
  menu,
  records,
  nouns,
  tasks,
  start() {
    laneEvent.answer('parking', hearLane)
    stillWaiting.answer('parking', stillStands)
    standsAt.answer('parking', isPlace)
    orderPaid.answer('parking', orderSettled)
    presentStay.answer('parking', presentStayOf)
    debts.answer('settlement', debtsOf)
    regionHeld.answer('parking', parksHold)
    namesOf.answer('parking', sheetNames)
  },
}
