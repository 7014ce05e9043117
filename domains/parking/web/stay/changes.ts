import { gate } from '../../contract/gate.ts'
import { laneBoard } from '../../contract/laneBoard.ts'
import { park } from '../../contract/park.ts'
import { screen } from '../../contract/screen.ts'
import { stay } from '../../contract/stay.ts'

export const STAY_TOPIC = 'parking.stay'
/** Calls whose answers are stale after a stay changed. */
export const STAY_CHANGES = [
  stay.queryPage,
  stay.queryPresentPage,
  stay.queryAbnormalPage,
  stay.queryDetail,
  stay.story,
  laneBoard.state,
  screen.detail,
] as const
export const LANE_CHANGES = [laneBoard.state, gate.gateDetail, gate.queryPage, stay.queryPresentPage, stay.story] as const
export const GATE_CHANGES = [gate.queryPage, gate.gateDetail, gate.findParkGateList, park.parkInfo] as const
export const PARK_CHANGES = [park.queryPage, park.queryList, park.queryDetail, park.history, screen.detail, park.parkInfo] as const
