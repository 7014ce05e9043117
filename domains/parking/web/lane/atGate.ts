import { useRef } from 'react'
import { can } from '../../../../platform/web/person.ts'
import type { Text } from '../../../../platform/web/text.ts'
import { laneBoard, type LaneRow } from '../../contract/laneBoard.ts'
import { changedSince } from './laneActs.ts'
import { useGates, useParks } from '../api/names.tsx'
import type { AtGate } from './OpenGate.tsx'
import { useBoards } from './useBoards.ts'

/** The park of a gate: its code and its name. */
export function useParkOf(gateCode: string): { parkCode: string; name: string } | undefined {
  const parkCode = useGates().find((one) => one.gateCode === gateCode)?.parkCode
  const parks = useParks()
  return parkCode === undefined ? undefined : { parkCode, name: parks.find((one) => one.parkCode === parkCode)?.name ?? parkCode }
}

const LEFT: Text = ['此车已不在该通道', 'This car is no longer at the lane']
/** Returns the car at the gate while a dialog about it is open, and why the dialog no longer fits. A person who may not see the board keeps what the dialog was opened with. */
export function useAtGate(at: AtGate): { park: string | undefined; car: Pick<LaneRow, 'plateNo' | 'dueFen'>; gone: Text | undefined } {
  const park = useParkOf(at.gateCode)
  const [board] = useBoards(park && can(laneBoard.state.needs) ? [park.parkCode] : [])
  const now = board?.data?.lanes.find((lane) => lane.gateCode === at.gateCode)
  const first = useRef<LaneRow>(undefined)
  first.current ??= now
  const was = first.current
  const isElsewhere = at.plateNo && was && was.plateNo !== at.plateNo
  const asked = { plateNo: at.plateNo ?? null, dueFen: (at.dueFen ?? 0) as LaneRow['dueFen'] }
  return {
    park: park?.name,
    car: was && !isElsewhere ? was : asked,
    gone: isElsewhere ? LEFT : was && now && changedSince(was, now, 'open'),
  }
}
