import { lasting } from '../../../../platform/contract/duration.ts'
import { ArrowDownOutlined, ArrowUpOutlined, DisconnectOutlined, SwapOutlined } from '@ant-design/icons'
import { Button, Popover, Tooltip } from 'antd'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { minutesOf, nearTime, time } from '../../../../platform/web/format.ts'
import { can } from '../../../../platform/web/person.ts'
import { type Text, useText } from '../../../../platform/web/text.ts'
import { imagesOf, Money, Plate, State } from '../../../../platform/web/value.tsx'
import { CommandState } from '../../../device/contract/command.ts'
import { Direction, type GateAction } from '../../contract/gate.ts'
import { type LaneRow, LaneState } from '../../contract/laneBoard.ts'
import { PayState, stay } from '../../contract/stay.ts'
import { Barrier, barrierOf } from './Barrier.tsx'
import { Checks } from './Checks.tsx'
import { FeeBeside } from './FeeBeside.tsx'
import { asks, clockOf, debtOf, dueOf, isBusy, needOf, waitedOf, whoOf, whyOf } from './lane.ts'
import { UseStatus } from '../../contract/park.ts'

/** The action of a key on a lane. `not` says why it is not possible now. */
export interface LaneAction {
  key: string
  text: Text
  run: () => void
  not?: Text | false | undefined
  main?: boolean
}
interface Props {
  lane: LaneRow
  focused: boolean
  now: number
  actions: readonly LaneAction[]
  /** Answers "it is this car". */
  onMatch: (stayId: string) => void
  /** The act that is under way here, in place of the actions. */
  acting?: ReactNode
  /** Nothing happens here: a single line is shown. */
  idle?: boolean
}
export type BarrierAction = keyof typeof GateAction.entries

/** One lane: the car, the reason of the decision, the amount due, the barrier. It keeps its size while a car is there. */
export function LaneCard({ lane, focused, now, actions, onMatch, acting, idle }: Props) {
  const say = useText()
  const need = needOf(lane, now)
  const waited = waitedOf(lane, now)
  const look = `lane${focused ? ' focused' : ''}${need ? (need.urgent ? ' urgent' : ' minor') : ''}${isBusy(lane) ? ' busy' : ''}${asks(lane) ? ' asking' : ''}${acting ? ' acting' : ''}${idle ? ' at-rest' : ''}`
  return (
    <article className={look} aria-label={lane.name} data-gate={lane.gateCode}>
      <header>
        <Tooltip title={say(Direction.entries[lane.direction])}>
          <span className={`way way-${lane.direction}`}>{ways[lane.direction]}</span>
        </Tooltip>
        <h2>
          <button type="button" className="lane-name" aria-pressed={focused}>
            {lane.name}
          </button>
        </h2>
        <code className="faint">{lane.gateCode}</code>
        <span className="push" />
        {lane.lockedBy !== null && (
          <Tooltip title={say([`锁闸人 ${lane.lockedBy}`, `Locked by ${lane.lockedBy}`])}>
            <span className="need minor">{say(['已锁闸', 'Locked'])}</span>
          </Tooltip>
        )}
        {lane.keptOpenUntil !== null && (
          <Tooltip title={say(keptOpen(time(lane.keptOpenUntil)))}>
            <span className="need minor">{say(['常开中', 'Kept open'])}</span>
          </Tooltip>
        )}
        {need && <span className={need.urgent ? 'need' : 'need minor'}>{say(need.text)}</span>}
        {waited > 0 && !idle && (
          <time className="waited" aria-label={say(['已等', 'Waiting'])}>
            {clockOf(waited)}
          </time>
        )}
        {!lane.online && !need && <DisconnectOutlined className="faint" aria-label={say(['离线', 'Offline'])} />}
        {idle && isBusy(lane) && <Plate number={lane.plateNo} color={lane.plateColor} />}
        {idle && !need && (
          <span className="faint">{say(lane.status === UseStatus.disabled ? DISABLED : isBusy(lane) ? LaneState.entries[lane.state] : NO_CAR)}</span>
        )}
        {idle && <Barrier state={barrierNow(lane)} word={false} />}
      </header>
      {!idle && (
        <>
          <div className="lane-body">
            <Picture lane={lane} />
            {isBusy(lane) && lane.plateNo ? <Car lane={lane} onMatch={onMatch} now={now} /> : <Quiet lane={lane} />}
          </div>
          <div className="lane-barrier">
            <Barrier state={barrierNow(lane)} />
            {lane.lockedBy !== null && <span className="faint">{say([`${lane.lockedBy} 锁闸`, `Locked by ${lane.lockedBy}`])}</span>}
            {lane.keptOpenUntil !== null && <span className="faint">{say(openUntil(nearTime(lane.keptOpenUntil)))}</span>}
            <Command lane={lane} />
          </div>
          {acting ?? <Actions actions={actions} />}
        </>
      )}
    </article>
  )
}
const keptOpen = (until: string): Text => [`常开至 ${until}`, `Kept open until ${until}`]
/** Beside the barrier's word, below what the head says. */
const openUntil = (until: string): Text => [`常开至 ${until}`, `until ${until}`]
const barrierNow = (lane: LaneRow) => (lane.online ? barrierOf(lane.gateState) : 'unknown')
const DISABLED: Text = ['通道停用', 'Lane disabled']
const NO_CAR: Text = ['无车', 'No car']

function Actions({ actions }: { actions: readonly LaneAction[] }) {
  const say = useText()
  return (
    <footer>
      {actions.map((action) => (
        <Tooltip key={action.key} title={action.not && say(action.not)}>
          <Button size="small" type={action.main && !action.not ? 'primary' : 'default'} disabled={Boolean(action.not)} onClick={action.run}>
            <kbd>{action.key}</kbd> {say(action.text)}
          </Button>
        </Tooltip>
      ))}
    </footer>
  )
}

const ways: Record<number, ReactNode> = { 1: <ArrowDownOutlined />, 2: <ArrowUpOutlined />, 3: <SwapOutlined /> }

function Picture({ lane }: { lane: LaneRow }) {
  const say = useText()
  const [image] = imagesOf(lane.image)
  const [broken, setBroken] = useState<string>()
  return (
    <div className="lane-picture">
      {image && image !== broken ? (
        <img src={image} alt={say([`${lane.plateNo ?? ''} 抓拍`, `Picture of ${lane.plateNo ?? ''}`])} onError={() => setBroken(image)} />
      ) : (
        <svg viewBox="0 0 160 90" aria-hidden="true">
          <path d="M28 62v-9l10-4 12-14h44l16 14 18 5c4 1 6 4 6 8H28z" />
          <circle cx="54" cy="62" r="8" />
          <circle cx="112" cy="62" r="8" />
        </svg>
      )}
    </div>
  )
}

/** The car at the lane. The key is the decision: a new one slides in. */
function Car({ lane, onMatch, now }: { lane: LaneRow; onMatch: (stayId: string) => void; now: number }) {
  const say = useText()
  const who = whoOf(lane)
  const why = whyOf(lane)
  const debt = debtOf(lane)
  const inside = lane.entryTime ? minutesOf(now - Date.parse(lane.entryTime)) : undefined
  return (
    <div className="lane-car" key={lane.decisionId ?? lane.plateNo}>
      <div className="lane-who">
        {lane.stayId ? (
          <Link to={`/operation/record/parking/parkingRecord/${lane.stayId}`} title={say(['查看停车经过', 'Open this stay'])}>
            <Plate number={lane.plateNo} color={lane.plateColor} large still />
          </Link>
        ) : (
          <Plate number={lane.plateNo} color={lane.plateColor} large />
        )}
        <span className={`state ${who.tone}`}>{say(who.text)}</span>
      </div>
      {why && (
        <Popover
          placement="bottomLeft"
          mouseEnterDelay={0.3}
          content={<Checks checks={lane.checks} outcome={lane.outcome} />}
          title={say(['检查过程', 'Checks'])}
        >
          <p className="lane-why">{say(why)}</p>
        </Popover>
      )}
      {debt && debt.text[0] !== why?.[0] && <Debt {...debt} />}
      {lane.candidates.length > 0 ? (
        <Candidates lane={lane} onMatch={onMatch} now={now} />
      ) : (
        <dl className="lane-facts">
          {inside !== undefined && lane.heading !== Direction.entrance && (
            <div>
              <dt>{say(['已停', 'Parked'])}</dt>
              <dd title={lane.entryTime ? time(lane.entryTime) : ''}>{say(lasting(inside))}</dd>
            </div>
          )}
          {(lane.dueFen > 0 || lane.heading === Direction.exit) && (
            <div>
              <dt>{say(['待缴', 'Due'])}</dt>
              <dd className={lane.dueFen > 0 ? 'due' : ''}>
                {lane.stayId && lane.payState === PayState.toPay && can(stay.story.needs) ? (
                  <FeeBeside stayId={lane.stayId}>
                    <Money fen={dueOf(lane)} />
                  </FeeBeside>
                ) : (
                  <Money fen={dueOf(lane)} />
                )}
              </dd>
            </div>
          )}
        </dl>
      )}
    </div>
  )
}
/** Shows the car's earlier debt, with a link to where it is collected. */
function Debt({ text, link }: { text: Text; link: string }) {
  const say = useText()
  return (
    <p className="lane-why">
      <Link className="state warning" to={link}>
        {say(text)}
      </Link>
    </p>
  )
}
const CANDIDATES_FIT = 3
/** The stays that the car may belong to; a press says which. */
function Candidates({ lane, onMatch, now }: { lane: LaneRow; onMatch: (stayId: string) => void; now: number }) {
  const say = useText()
  const all = lane.candidates
  const first = all.length > CANDIDATES_FIT ? all.slice(0, CANDIDATES_FIT - 1) : all
  const more = all.slice(first.length)
  const one = ({ stayId, plateNo, plateColor, entryTime }: LaneRow['candidates'][number]) => (
    <li key={stayId}>
      <button
        type="button"
        onClick={() => onMatch(stayId)}
        title={entryTime ? `${say(['是这辆，入场', 'This one, entered'])} ${time(entryTime)}` : ''}
      >
        <Plate number={plateNo} color={plateColor} still />
        {entryTime && <span className="faint">{say(lasting(minutesOf(now - Date.parse(entryTime))))}</span>}
        <span className="push">{say(['是这辆', 'This one'])}</span>
      </button>
    </li>
  )
  return (
    <ul className="candidates" aria-label={say(['可能是', 'Possible matches'])}>
      {first.map(one)}
      {more.length > 0 && (
        <li>
          <Popover trigger="click" placement="bottomRight" content={<ul className="candidates">{more.map(one)}</ul>}>
            <button type="button">
              <span className="push">{say([`还有 ${more.length} 辆相近`, `${more.length} more like it`])}</span>
            </button>
          </Popover>
        </li>
      )}
    </ul>
  )
}

function Quiet({ lane }: { lane: LaneRow }) {
  const say = useText()
  return (
    <div className="lane-quiet">
      <b>{say(lane.status === UseStatus.disabled ? DISABLED : NO_CAR)}</b>
      {lane.plateNo && (
        <p className="faint">
          {say(['上一辆', 'Last car'])} <Plate number={lane.plateNo} color={lane.plateColor} />
          {lane.since && <span> {nearTime(lane.since, 'second')}</span>}
        </p>
      )}
    </div>
  )
}

/** Queued, sent, delivered, done: the command's way as steps; a failure in words. */
const STEPS = [0, 1, 3] as const
const STEP_NAMES: Record<(typeof STEPS)[number], Text> = { 0: ['排队', 'Queued'], 1: ['已发', 'Sent'], 3: ['已确认', 'Confirmed'] }
const FAILED = 4
function Command({ lane: { command } }: { lane: LaneRow }) {
  const say = useText()
  if (!command) return <span className="command faint">{say(['无指令', 'No command'])}</span>
  const method = METHODS[command.method] ?? [command.method, command.method]
  if (command.state >= FAILED) {
    return (
      <Tooltip title={command.said}>
        <span className="command failed">
          {say(method)} <State dictionary={CommandState} value={command.state} />
        </span>
      </Tooltip>
    )
  }
  const reached = command.state === CommandState.delivered ? CommandState.sent : command.state
  return (
    <span className="command" title={time(command.at)}>
      {say(method)}
      <ol>
        {STEPS.map((step) => (
          <li key={step} className={step < reached ? 'past' : step === reached ? 'here' : ''}>
            {say(STEP_NAMES[step])}
          </li>
        ))}
      </ol>
    </span>
  )
}
const METHODS: Record<string, Text> = {
  'gate.open': ['开闸', 'Open'],
  'gate.close': ['关闸', 'Close'],
  'gate.keepOpen': ['常开', 'Keep open'],
}
