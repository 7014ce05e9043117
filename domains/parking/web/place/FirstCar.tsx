import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Of } from '../../../../platform/contract/field.ts'
import { asks } from '../../../../platform/web/ask.ts'
import { can } from '../../../../platform/web/person.ts'
import { type Text, useText } from '../../../../platform/web/text.ts'
import { Money, Plate, State, Time } from '../../../../platform/web/value.tsx'
import { type Board, laneBoard } from '../../contract/laneBoard.ts'
import { PayState, SessionStatus, stay, type Story } from '../../contract/stay.ts'
import { Checks } from '../lane/Checks.tsx'
import { FeeOf } from '../stay/FeeOf.tsx'
import { GateName } from '../api/names.tsx'

const LOOK_AGAIN_MS = 5_000
const BOARD = '/operation/laneBoard'

/** Names the permission that a person lacks for a step, instead of a button that would be refused. */
export function Lacks({ what }: { what: Text }) {
  const say = useText()
  return (
    <p className="faint">
      {say([`这一步需要「${what[0]}」权限，请联系管理员`, `This step needs the permission “${what[1]}”: ask your administrator`])}
    </p>
  )
}
/** A car drives in and out by the park's own lanes; their decisions about it are shown as they happen, and at the end the fee's explanation. */
export function FirstCar({ parkCode, ready }: { parkCode: string; ready: boolean }) {
  const say = useText()
  const cars = useQuery({
    ...asks(stay.queryPage, { parkCode, limit: 1 }, { quiet: true }),
    refetchInterval: LOOK_AGAIN_MS,
    enabled: can(stay.queryPage.needs),
  })
  const car = cars.data?.records[0]
  const story = useQuery({
    ...asks(stay.story, { id: car?.id as never }, { quiet: true }),
    enabled: car !== undefined,
    refetchInterval: LOOK_AGAIN_MS,
  })
  if (!can(stay.queryPage.needs)) return <Lacks what={['进出场记录', 'Stays']} />
  if (!ready)
    return (
      <p className="faint">
        {say(['通道、设备与规则就绪后，开一辆车进出一次', 'Once lanes, devices and a fee rule are ready, drive one car in and out'])}
      </p>
    )
  return (
    <>
      {!car && (
        <p>
          {say([
            '把一辆车开到入口，或把车牌对准入口相机；识别后这里立即显示',
            'Drive a car to the entrance, or hold a plate in front of its camera: it appears here as soon as it is read',
          ])}
        </p>
      )}
      {story.data && <Drove story={story.data} />}
      <LaneSays parkCode={parkCode} />
    </>
  )
}

function Drove({ story }: { story: Of<typeof Story> }) {
  const say = useText()
  const { stay: visit } = story
  const left = visit.status === SessionStatus.left
  const due = visit.payState === PayState.toPay ? visit.payableFen - visit.paidFen : 0
  return (
    <>
      <p className="first-hour-line">
        <Plate number={visit.plateNo} color={visit.plateColor} /> <State dictionary={SessionStatus} value={visit.status} />
        <span>
          <Time at={visit.entryTime} /> <GateName code={visit.entryGate} />
          {visit.exitTime && (
            <>
              {' → '}
              <Time at={visit.exitTime} /> <GateName code={visit.exitGate} />
            </>
          )}
        </span>
      </p>
      {visit.status === SessionStatus.present && <p>{say(['已进场；再从出口开出去', 'The car is inside. Now drive it out through the exit.'])}</p>}
      {due > 0 && (
        <p>
          {say(['出口待缴 ', 'Due at the exit: '])}
          <Money fen={due} /> <Link to={BOARD}>{say(['到「车道看板」收款或放行', 'Collect it or let the car pass on the “Lane board”'])}</Link>
        </p>
      )}
      {(left || due > 0) && <FeeOf story={story} />}
    </>
  )
}

/** Where the newest car was not let through, why. */
function LaneSays({ parkCode }: { parkCode: string }) {
  const say = useText()
  const { data } = useQuery({
    ...asks(laneBoard.state, { parkCode }, { quiet: true }),
    enabled: can(laneBoard.state.needs),
    refetchInterval: LOOK_AGAIN_MS,
  })
  const [newest] = (data as Of<typeof Board> | undefined)?.recent ?? []
  if (!newest) return null
  return (
    <section>
      <p className="faint">
        <Time at={newest.receivedAt} /> <GateName code={newest.gateCode} /> {say(['的判定', 'decided'])}
      </p>
      <Checks checks={newest.checks} outcome={newest.outcome} folded />
    </section>
  )
}
