import { useQuery } from '@tanstack/react-query'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { percent } from '../../../platform/web/format.ts'
import { can } from '../../../platform/web/person.ts'
import { Failed, Waiting } from '../../../platform/web/page/states.tsx'
import { WALL_AGAIN_MS, type WallFigure } from '../../../platform/web/draw/Wall.tsx'
import { record } from '../../arrears/contract/record.ts'
import { ParkType } from '../../parking/contract/park.ts'
import { screen } from '../../roadside/contract/screen.ts'
import { wall } from '../../roadside/contract/wall.ts'
import { RoadWall } from './RoadWall.tsx'

const DEBTS = '/operation/record/roadParking/arrears'

const AGAIN = { refetchInterval: WALL_AGAIN_MS }
const EVERYWHERE = {}
/** The street of the signed-in person. */
export default function RoadWallScreen() {
  const { data, error, refetch } = useQuery({ ...asks(screen.overview, EVERYWHERE, { quiet: true }), ...AGAIN })
  const { data: flow } = useQuery({ ...asks(wall.show, EVERYWHERE, { quiet: true }), ...AGAIN })
  const { data: resources } = useQuery({ ...asks(screen.resources, EVERYWHERE, { quiet: true }), ...AGAIN })
  const { data: districts } = useQuery({ ...asks(screen.park, EVERYWHERE, { quiet: true }), ...AGAIN })
  const repaid = useRepaid()
  if (!data) return error ? <Failed error={error as Refusal} retry={() => void refetch()} /> : <Waiting lines={8} />
  return <RoadWall overview={data} more={repaid} {...{ flow, resources, districts }} />
}

/** The share of the street's debts that was repaid; hidden from a reader who may not see debts. */
function useRepaid(): WallFigure[] {
  const enabled = can(record.summary.needs)
  const { data } = useQuery({ ...asks(record.summary, { pType: [ParkType.roadside] }, { quiet: true }), ...AGAIN, enabled })
  return enabled ? [{ name: ['追缴率', 'Repayment rate'], value: percent(data?.repayRate), to: DEBTS }] : []
}
