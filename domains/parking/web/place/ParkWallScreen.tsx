import { useQuery } from '@tanstack/react-query'
import type { Of } from '../../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../../platform/web/ask.ts'
import { count } from '../../../../platform/web/format.ts'
import { Failed, Waiting } from '../../../../platform/web/page/states.tsx'
import { useText } from '../../../../platform/web/text.ts'
import { WALL_AGAIN_MS } from '../../../../platform/web/draw/Wall.tsx'
import { type ParkPoint, screen } from '../../contract/screen.ts'
import { ParkWall } from '../api/ParkWall.tsx'

/** The parks of the signed-in person. No money either. */
export default function ParkWallScreen() {
  const { data, error, dataUpdatedAt, refetch } = useQuery({ ...asks(screen.overview, {}, { quiet: true }), refetchInterval: WALL_AGAIN_MS })
  const flow = useQuery({ ...asks(screen.flow, {}, { quiet: true }), refetchInterval: WALL_AGAIN_MS })
  const moves = useQuery({ ...asks(screen.lastMoves, {}, { quiet: true }), refetchInterval: WALL_AGAIN_MS })
  if (!data) return error ? <Failed error={error as Refusal} retry={() => void refetch()} /> : <Waiting lines={8} />
  return (
    <ParkWall rows={data} flow={flow.data} moves={moves.data} at={new Date(dataUpdatedAt).toISOString()}>
      {(of) => <Areas of={of} />}
    </ParkWall>
  )
}

/** The areas of the park that was pointed at. */
function Areas({ of }: { of: Of<typeof ParkPoint> }) {
  const say = useText()
  const { data } = useQuery({ ...asks(screen.areaList, { parkCode: of.parkCode }, { quiet: true }), refetchInterval: WALL_AGAIN_MS })
  return (
    <footer>
      <b>{of.name}</b>
      <span>{say([`余位 ${count(of.remainingBays)} / ${count(of.totalBays)}`, `${count(of.remainingBays)} of ${count(of.totalBays)} free`])}</span>
      {data?.map(({ areaCode, name, totalBays }) => (
        <span key={areaCode}>
          {name} {count(totalBays)}
        </span>
      ))}
    </footer>
  )
}
