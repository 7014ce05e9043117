import { Alert, Button, Popover, Tooltip } from 'antd'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { ask, type Refusal } from '../../../../platform/web/ask.ts'
import { nearTime, yuan } from '../../../../platform/web/format.ts'
import { toast } from '../../../../platform/web/page/hosts.tsx'
import { kept, listOfWords } from '../../../../platform/web/kept.ts'
import { type Key, useKeys } from '../../../../platform/web/page/keys.tsx'
import { connected } from '../../../../platform/web/live.ts'
import { PageHead } from '../../../../platform/web/page/page.tsx'
import { can } from '../../../../platform/web/person.ts'
import { plural } from '../../../../platform/contract/plural.ts'
import { Select } from '../../../../platform/web/form/Select.tsx'
import { Failed, Nothing, Waiting } from '../../../../platform/web/page/states.tsx'
import { type Text, useText } from '../../../../platform/web/text.ts'
import { useWatched } from '../../../../platform/web/draw/watching.ts'
import { useTour } from '../../../../platform/web/tour/tour.ts'
import { Plate, State } from '../../../../platform/web/value.tsx'
import type { Of } from '../../../../platform/contract/field.ts'
import { order } from '../../../settlement/contract/order.ts'
import { Direction, gate } from '../../contract/gate.ts'
import { heldBill } from '../../contract/heldBill.ts'
import { type Board, LaneAnswer, laneBoard, type LaneRow } from '../../contract/laneBoard.ts'
import { LaneCheck, PayState, stay } from '../../contract/stay.ts'
import { Bays } from '../place/Bays.tsx'
import { CheckFee } from '../stay/CheckFee.tsx'
import { emergencyOf } from './emergency.ts'
import { Checks } from './Checks.tsx'
import { asks, calmOf, CARDS_FIT, isBusy, isGrown, mayReadAgain, mayTypeEntry, needOf, stateOf, whyOf } from './lane.ts'
import { LaneAct } from './LaneAct.tsx'
import { type Doing, entryTimeAct } from './laneActs.ts'
import { type LaneAction, LaneCard } from './LaneCard.tsx'
import { LANE_BOARD_TOUR } from './laneBoardTour.ts'
import { CorrectPlateOf } from './LaneDialogs.tsx'
import { PassedIn } from './PassedIn.tsx'
import { GateName, ParkName, useGates, useParks, useParksAreKnown } from '../api/names.tsx'
import { useBoards, useNow } from './useBoards.ts'
import '../parking.css'
import '../laneBoard.css'

type ParkBoard = Of<typeof Board>
/** A person watches a few parks; each is one call and some lanes. */
const PARKS_AT_FIRST = 2
const watched = kept<readonly string[]>('lane-board', [], listOfWords)

/** Acts that open a dialog, besides those in the card itself. */
type Open = { lane: LaneRow; doing: Doing | 'plate' | 'fee' }
const isInCard = (doing: Open['doing']): doing is Doing => doing !== 'plate' && doing !== 'fee'

/** The lanes as they are, in a fixed order and each in its column: a card where a car is or a person is needed, a line where nothing happens. */
export default function LaneBoardScreen() {
  useTour(LANE_BOARD_TOUR)
  useWatched()
  const say = useText()
  const now = useNow()
  const parks = useParks()
  const known = useParksAreKnown()
  const linked = useLinkedGate()
  const shown = useShown(parks, linked)
  const answers = useBoards(shown)
  const boards = answers.flatMap(({ data }) => (data ? [data] : []))
  const lanes = boards.flatMap((board) => board.lanes)
  const [last, setFocused] = useState<string>()
  const focused = last ?? linked?.gateCode
  const board = useChosenLane(setFocused)
  const [open, setOpen] = useState<Open>()
  const waiting = lanes.filter((lane) => needOf(lane, now)?.urgent)
  const at = lanes.find((lane) => lane.gateCode === focused)
  const focus = (lane: LaneRow | undefined) => {
    if (!lane) return
    setFocused(lane.gateCode)
    document.querySelector<HTMLElement>(`[data-gate="${lane.gateCode}"] .lane-name`)?.focus()
  }
  const close = () => {
    setOpen(undefined)
    if (open) focus(open.lane)
  }
  useBoardKeys({ lanes, at, waiting, focus, press: setOpen, still: lanes.some(({ gateCode }) => gateCode === open?.lane.gateCode) })
  return (
    <div className="board" ref={board}>
      <PageHead purpose={['每条车道的实时车辆、判定与道闸状态', 'Live view of every lane: car, decision and barrier']}>
        <Online />
        <WatchedParks shown={shown} parks={parks} />
      </PageHead>
      <Needs
        waiting={waiting}
        calm={known && answers.every(({ isPending }) => !isPending) ? calmOf(lanes, now) : LOADING}
        now={now}
        focus={focus}
        several={shown.length > 1}
      />
      <div className="board-parts">
        <div className="board-lanes">
          {answers.map(({ data, isPending, error, refetch }, place) =>
            data ? (
              <ParkLanes
                key={data.parkCode}
                board={data}
                focused={focused}
                now={now}
                press={setOpen}
                open={open}
                close={close}
                many={lanes.length > CARDS_FIT}
              />
            ) : isPending ? (
              <Waiting key={shown[place]} lines={4} />
            ) : (
              <Failed key={shown[place]} error={error as Refusal} retry={() => void refetch()} />
            ),
          )}
          {answers.length === 0 && (known ? <Nothing>{say(['没有可查看的车场', 'No car parks that you may see'])}</Nothing> : <Waiting lines={4} />)}
        </div>
        <Lately boards={boards} isPending={!known || answers.some((one) => one.isPending)} />
      </div>
      {open && <AboutStay {...open} onClose={close} />}
    </div>
  )
}

/** Which parks the board shows. */
function WatchedParks({ shown, parks }: { shown: readonly string[]; parks: ReturnType<typeof useParks> }) {
  const say = useText()
  return (
    <Select
      mode="multiple"
      className="board-parks"
      maxTagCount="responsive"
      maxTagPlaceholder={(more) => say(notShown(more.length, shown.length))}
      aria-label={say(['车场', 'Car parks'])}
      value={[...shown]}
      onChange={(codes: string[]) => watched.set(codes)}
      options={parks.map(({ parkCode, name }) => ({ value: parkCode, label: name }))}
    />
  )
}

/** Dialogs over the board that correct the car's stay. */
function AboutStay({ lane: { stayId, plateNo }, doing, onClose }: Open & { onClose: () => void }) {
  if (stayId === null) return null
  if (doing === 'fee') return <CheckFee stayId={stayId} plateNo={plateNo} onClose={onClose} />
  return doing === 'plate' ? <CorrectPlateOf stayId={stayId} onClose={onClose} /> : null
}

/** Whether there are lanes nobody knows yet. */
const LOADING: ReturnType<typeof calmOf> = { text: ['正在读取车道', 'Loading lanes'], tone: 'default' }

/** The parks that the person watches, or the first few; ahead of them the one that an alarm leads to. */
function useShown(parks: ReturnType<typeof useParks>, linked: { parkCode: string } | undefined): readonly string[] {
  const chosen = watched.use().filter((code) => parks.some((park) => park.parkCode === code))
  const usual = chosen.length > 0 ? chosen : parks.slice(0, PARKS_AT_FIRST).map((park) => park.parkCode)
  return linked && !usual.includes(linked.parkCode) ? [linked.parkCode, ...usual] : usual
}

/** The lane that an alarm leads to: its park is shown and its card is open. */
function useLinkedGate() {
  const [query] = useSearchParams()
  const gates = useGates()
  const code = query.get('gate')
  return gates.find(({ gateCode }) => gateCode === code)
}

interface OfPark {
  board: ParkBoard
  focused: string | undefined
  now: number
  press: (open: Open) => void
  open: Open | undefined
  close: () => void
  /** More lanes than cards fit. */
  many: boolean
}
function ParkLanes({ board, focused, now, press, open, close, many }: OfPark) {
  const say = useText()
  const match = useCallback((lane: LaneRow, stayId: string) => void matchTo(lane, stayId), [])
  return (
    <section className="board-park">
      <header>
        <h2>
          <ParkName code={board.parkCode} />
        </h2>
        <Bays total={board.totalBays} free={board.remainingBays} present={board.presentCount} />
        <span className="faint">{say([`在场 ${board.presentCount}`, `${board.presentCount} present`])}</span>
        {board.passToday && <PassedIn of={board.passToday} />}
      </header>
      {board.openAllFrom && <Alert showIcon type="warning" className="refused" title={say(emergencyOf(board.openAllFrom, board.openAllBy))} />}
      {board.lanes.length === 0 && (
        <Nothing>{say(['这个车场还没有通道，先到「通道管理」新增。', 'This car park has no lanes yet. Add them under “Gate management”.'])}</Nothing>
      )}
      <div className="lanes">
        {board.lanes.map((lane) => {
          const doing = open?.lane.gateCode === lane.gateCode && isInCard(open.doing) ? open.doing : undefined
          return (
            <LaneCard
              key={lane.gateCode}
              lane={lane}
              now={isBusy(lane) || lane.entryTime ? now : 0}
              focused={focused === lane.gateCode}
              idle={many && !doing && focused !== lane.gateCode && !isGrown(lane, now)}
              actions={actionsOf(lane, press)}
              onMatch={(stayId) => match(lane, stayId)}
              {...(doing && { acting: <LaneAct key={doing} lane={lane} doing={doing} onClose={close} /> })}
            />
          )
        })}
      </div>
    </section>
  )
}

async function matchTo(lane: LaneRow, stayId: string) {
  if (!lane.decisionId) return
  await ask(laneBoard.answer, { gateCode: lane.gateCode, decisionId: lane.decisionId, answer: LaneAnswer.match, stayId: stayId as never }).then(
    () => toast('success', ['已匹配', 'Matched']),
    () => {},
  )
}

const NO_CAR: Text = ['通道上没有车', 'No car at this lane']
const NO_STAY: Text = ['没有对应的停车记录', 'No stay to correct']
const OPEN_ALL: Text = ['应急常开期间不能锁闸', 'Barriers cannot be locked in an emergency']
const LOCKED: Text = ['已锁闸，请先解锁', 'Locked: unlock it first']
const NOTHING_DUE: Text = ['没有待缴金额', 'Nothing is due']

/** Returns the actions of a lane's number keys, in a fixed order: a key means the same on every card. */
function actionsOf(lane: LaneRow, press: (open: Open) => void): LaneAction[] {
  const question = asks(lane)
  const due = lane.dueFen > 0
  const isLocked = lane.lockedBy !== null
  const locked = isLocked && LOCKED
  const doing = (what: Open['doing']) => () => press({ lane, doing: what })
  const actions: (LaneAction & { needs: Parameters<typeof can>[0] })[] = [
    question
      ? { key: '1', text: ['放行', 'Let pass'], run: doing('pass'), not: locked, main: lane.candidates.length === 0, needs: laneBoard.answer.needs }
      : { key: '1', text: ['开闸', 'Open'], run: doing('open'), not: locked, needs: gate.openGate.needs },
    {
      key: '2',
      text: ['修正车牌', 'Correct plate'],
      ...(mayReadAgain(lane)
        ? { run: doing('read'), not: locked, needs: laneBoard.answer.needs }
        : { run: doing('plate'), not: !lane.stayId && (isBusy(lane) ? NO_STAY : NO_CAR), needs: stay.correctPlate.needs }),
    },
    {
      key: '3',
      text: due ? [`现金 ¥${yuan(lane.dueFen)}`, `Cash ¥${yuan(lane.dueFen)}`] : ['现金', 'Cash'],
      run: doing('cash'),
      main: due,
      not: !(due && lane.orderId) && NOTHING_DUE,
      needs: order.cash.needs,
    },
    { key: '4', text: ['免费', 'Free'], run: doing('free'), not: (!due && NOTHING_DUE) || locked, needs: gate.openGate.needs },
  ]
  if (question) actions.push({ key: '5', text: ['拒绝', 'Turn away'], run: doing('refuse'), not: locked, needs: laneBoard.answer.needs })
  if (mayTypeEntry(lane))
    actions.push({
      key: '6',
      text: entryTimeAct(lane),
      run: doing('entry'),
      not: locked,
      needs: laneBoard.answer.needs,
    })
  if (question && lane.payState === PayState.checking)
    actions.push({ key: '7', text: ['核对费用', 'Check the fee'], run: doing('fee'), needs: heldBill.decide.needs })
  if (question && isUnruled(lane))
    actions.push({ key: '9', text: ['按现行规则计费', 'Bill by current rule'], run: doing('rule'), not: locked, needs: laneBoard.answer.needs })
  actions.push({
    key: '8',
    text: isLocked ? ['解锁', 'Unlock'] : ['锁闸', 'Lock'],
    run: doing(isLocked ? 'unlock' : 'lock'),
    not: lane.openAll && OPEN_ALL,
    needs: gate.openGate.needs,
  })
  // While a lane asks, impossible actions make room for the answers.
  return actions.filter(({ needs, not }) => can(needs) && !(question && not && not !== LOCKED))
}

/** Whether nothing says what the stay costs: no rule was in force when its car came in. */
const isUnruled = ({ heading, stayId, payState, checks }: LaneRow) =>
  heading === Direction.exit && stayId !== null && payState !== PayState.checking && checks.some(({ check, hit }) => hit && check === LaneCheck.fee)

const NO_KEYS: Record<string, Key> = {}
/** A lane is chosen by a click anywhere on it, or when the keyboard comes into it: not while the mouse is down, or what grows would slip from under it. */
function useChosenLane(choose: (gateCode: string) => void) {
  const board = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const box = board.current
    let pressed = false
    const hear = ({ type, target }: globalThis.Event) => {
      pressed = type === 'pointerdown' || (pressed && type === 'focusin')
      const gate = (target as Element).closest<HTMLElement>('[data-gate]')?.dataset['gate']
      if (gate && !pressed) choose(gate)
    }
    const types = ['pointerdown', 'focusin', 'click']
    for (const type of types) box?.addEventListener(type, hear)
    return () => types.forEach((type) => box?.removeEventListener(type, hear))
  }, [])
  return board
}

interface Keyed {
  lanes: readonly LaneRow[]
  at: LaneRow | undefined
  waiting: readonly LaneRow[]
  focus: (lane: LaneRow | undefined) => void
  press: (open: Open) => void
  /** A dialog is open: the keys are its own. */
  still: boolean
}
function useBoardKeys({ lanes, at, waiting, focus, press, still }: Keyed) {
  const number = (key: string, text: Text) => ({
    text,
    run: () => {
      if (!at) return toast('info', ['先用方向键或鼠标选中一条车道', 'Select a lane first, with the arrow keys or the mouse'])
      const action = actionsOf(at, press).find((one) => one.key === key)
      if (action && !action.not) return action.run()
      toast('info', action?.not || [`${at.name} 现在没有「${text[0]}」这一项`, `“${text[1]}” is not available at ${at.name} now`])
    },
  })
  const step = (by: number) => focus(lanes[at ? Math.min(lanes.length - 1, Math.max(0, lanes.indexOf(at) + by)) : 0])
  const keys = {
    1: number('1', ['开闸或放行', 'Open, or let pass']),
    2: number('2', ['修正车牌', 'Correct plate']),
    3: number('3', ['收现金', 'Take cash']),
    4: number('4', ['免费放行', 'Let out free of charge']),
    5: number('5', ['拒绝', 'Turn away']),
    6: number('6', entryTimeAct({})),
    7: number('7', ['核对费用', 'Check the fee']),
    8: number('8', ['锁闸或解锁', 'Lock or unlock the barrier']),
    9: number('9', ['按现行规则计费', 'Bill by current rule']),
    n: {
      text: ['到下一条需要人的车道', 'Next lane that needs you'],
      run: () => focus(waiting[(waiting.findIndex((lane) => lane === at) + 1) % Math.max(1, waiting.length)]),
    },
    ArrowRight: { text: ['下一条车道', 'Next lane'], run: () => step(1) },
    ArrowLeft: { text: ['上一条车道', 'Previous lane'], run: () => step(-1) },
  } satisfies Record<string, Key>
  useKeys(still ? NO_KEYS : keys)
}

/** The one line that says whether anybody is needed, and where. It keeps its height. */
interface Needed {
  waiting: readonly LaneRow[]
  /** Shown while no lane waits. */
  calm: ReturnType<typeof calmOf>
  now: number
  focus: (lane: LaneRow) => void
  several: boolean
}
function Needs({ waiting, calm, now, focus, several }: Needed) {
  const say = useText()
  return (
    <div className={`needs${waiting.length > 0 ? ' some' : ''}`} role="status">
      {waiting.length === 0 ? (
        <span className={`state ${calm.tone}`}>{say(calm.text)}</span>
      ) : (
        <>
          <b>{say([`${waiting.length} 条车道需要处理`, `${waiting.length} ${plural(waiting.length, 'lane needs', 'lanes need')} you`])}</b>
          {waiting.map((lane) => (
            <Tooltip key={lane.gateCode} title={lane.plateNo}>
              <Button size="small" onClick={() => focus(lane)}>
                <span>
                  {several && <ParkName code={lane.parkCode} still />} {lane.name} · {say(needOf(lane, now)?.text ?? ['', ''])}
                </span>
              </Button>
            </Tooltip>
          ))}
          <span className="faint">
            <kbd>n</kbd> {say(['下一条', 'next'])}
          </span>
        </>
      )}
    </div>
  )
}

/** Of the parks that are shown: how many have no room for their names beside those that have. */
const notShown = (count: number, all: number): Text =>
  count === all ? [`${all} 个车场`, `${all} ${plural(all, 'park')}`] : [`另 ${count} 个`, `${count} more`]

/** Cars that passed the lanes lately, newest first, with their present status; the list slides in above and does not move the cards. */
const LATELY_SHOWN = 30
function Lately({ boards, isPending }: { boards: readonly ParkBoard[]; isPending: boolean }) {
  const say = useText()
  const several = boards.length > 1
  const rows = boards
    .flatMap((board) => board.recent)
    .toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))
    .slice(0, LATELY_SHOWN)
  return (
    <aside className="lately" aria-label={say(['最近通行', 'Recent passages'])}>
      <h2>{say(['最近通行', 'Recent passages'])}</h2>
      {rows.length === 0 && (isPending ? <Waiting lines={4} /> : <Nothing>{say(['还没有车经过。', 'No cars yet.'])}</Nothing>)}
      <ol>
        {rows.map((row) => {
          const state = stateOf(row)
          const isPaid = state.dictionary === PayState && state.value === PayState.paid
          const why = whyOf({ ...row, ...(isPaid && { dueFen: 0 as LaneRow['dueFen'] }) })
          return (
            <li key={row.id}>
              <time>{nearTime(row.at, 'second')}</time>
              <Plate number={row.plateNo} color={row.plateColor} />
              <State {...state} />
              <Popover
                placement="left"
                mouseEnterDelay={0.3}
                title={say(['检查过程', 'Checks'])}
                content={<Checks checks={row.checks} outcome={row.outcome} />}
              >
                <span className="lately-why">
                  {several && `${row.parkCode} `}
                  <GateName code={row.gateCode} /> · {why && say(why)}
                </span>
              </Popover>
            </li>
          )
        })}
      </ol>
    </aside>
  )
}

function Online() {
  const say = useText()
  return connected.use() ? (
    <span className="live on">{say(['实时', 'Live'])}</span>
  ) : (
    <span className="live">{say(['连接中断，每 30 秒刷新', 'Disconnected. Refreshing every 30 seconds.'])}</span>
  )
}
