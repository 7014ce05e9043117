import { Button, Popover, Select, Tooltip } from 'antd'
import { useCallback, useEffect, useRef, useState } from 'react'
import { ask, type Refusal } from '../../../platform/web/ask.ts'
import { time, yuan } from '../../../platform/web/format.ts'
import { toast } from '../../../platform/web/hosts.tsx'
import { kept, listOfWords } from '../../../platform/web/kept.ts'
import { type Key, useKeys } from '../../../platform/web/keys.tsx'
import { connected } from '../../../platform/web/live.ts'
import { PageHead } from '../../../platform/web/page.tsx'
import { can } from '../../../platform/web/person.ts'
import { Failed, NoPermission, Nothing, Waiting } from '../../../platform/web/states.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { Plate, State } from '../../../platform/web/value.tsx'
import type { Of } from '../../../platform/contract/field.ts'
import { order } from '../../settlement/contract/order.ts'
import { gate } from '../contract/gate.ts'
import { type Board, laneBoard, type LaneRow } from '../contract/laneBoard.ts'
import { LaneOutcome, stay } from '../contract/stay.ts'
import { Bays } from './Bays.tsx'
import { Checks } from './Checks.tsx'
import { asks, calmOf, isBusy, needOf, whyOf } from './lane.ts'
import { type LaneAction, LaneCard } from './LaneCard.tsx'
import { AnswerLane, CollectCash, CorrectPlateOf } from './LaneDialogs.tsx'
import { GateName, ParkName, useParks } from './names.tsx'
import { OpenGate } from './OpenGate.tsx'
import { useBoards, useNow } from './useBoards.ts'
import './parking.css'
import './laneBoard.css'

type ParkBoard = Of<typeof Board>
/** A person watches a few parks; each is one call and some lanes. */
const PARKS_AT_FIRST = 2
const watched = kept<readonly string[]>('lane-board', [], listOfWords)

export default function LaneBoardScreen() {
  return can(laneBoard.state.needs) ? <LaneBoard /> : <NoPermission />
}

type Open = { lane: LaneRow; doing: 'open' | 'free' | 'plate' | 'cash' | 'pass' | 'refuse' | 'entry' }

/** The lanes as they are, one card each, in a fixed order: nothing moves but what happens inside a card. */
function LaneBoard() {
  const say = useText()
  const now = useNow()
  const parks = useParks()
  const chosen = watched.use().filter((code) => parks.some((park) => park.parkCode === code))
  const shown = chosen.length > 0 ? chosen : parks.slice(0, PARKS_AT_FIRST).map((park) => park.parkCode)
  const answers = useBoards(shown)
  const boards = answers.flatMap(({ data }) => (data ? [data] : []))
  const lanes = boards.flatMap((board) => board.lanes)
  const [focused, setFocused] = useState<string>()
  const board = useChosenLane(setFocused)
  const [open, setOpen] = useState<Open>()
  const waiting = lanes.filter((lane) => needOf(lane, now)?.urgent)
  const at = lanes.find((lane) => lane.gateCode === focused)
  const focus = (lane: LaneRow | undefined) => {
    if (!lane) return
    setFocused(lane.gateCode)
    document.querySelector<HTMLElement>(`[data-gate="${lane.gateCode}"] .lane-name`)?.focus()
  }
  useBoardKeys({ lanes, at, waiting, focus, press: setOpen, still: open !== undefined })

  return (
    <div className="board" ref={board}>
      <PageHead purpose={['每条车道此刻的车、决定与道闸', 'Every lane as it is now: its car, the decision, its barrier']}>
        <Online />
        <Select
          mode="multiple"
          className="board-parks"
          maxTagCount="responsive"
          maxTagPlaceholder={(more) => say([`另 ${more.length} 个`, `${more.length} more`])}
          aria-label={say(['车场', 'Parks'])}
          value={[...shown]}
          onChange={(codes: string[]) => watched.set(codes)}
          options={parks.map(({ parkCode, name }) => ({ value: parkCode, label: name }))}
        />
      </PageHead>
      <Needs waiting={waiting} calm={calmOf(lanes, now)} now={now} focus={focus} several={shown.length > 1} />
      <div className="board-parts">
        <div className="board-lanes">
          {answers.map(({ data, isPending, error, refetch }, place) =>
            data ? (
              <ParkLanes key={data.parkCode} board={data} focused={focused} now={now} press={setOpen} />
            ) : isPending ? (
              <Waiting key={shown[place]} lines={4} />
            ) : (
              <Failed key={shown[place]} error={error as Refusal} retry={() => void refetch()} />
            ),
          )}
          {answers.length === 0 && <Nothing />}
        </div>
        <Lately boards={boards} />
      </div>
      {open && <Doing {...open} onClose={() => setOpen(undefined)} />}
    </div>
  )
}

function ParkLanes({ board, focused, now, press }: { board: ParkBoard; focused: string | undefined; now: number; press: (open: Open) => void }) {
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
      </header>
      {board.lanes.length === 0 && (
        <Nothing>{say(['这个车场还没有通道，先到“通道管理”新增。', 'This park has no gates yet; add them under Gate management.'])}</Nothing>
      )}
      <div className="lanes">
        {board.lanes.map((lane) => (
          <LaneCard
            key={lane.gateCode}
            lane={lane}
            now={isBusy(lane) || lane.entryTime ? now : 0}
            focused={focused === lane.gateCode}
            actions={actionsOf(lane, press)}
            onMatch={(stayId) => match(lane, stayId)}
          />
        ))}
      </div>
    </section>
  )
}

async function matchTo(lane: LaneRow, stayId: string) {
  if (!lane.decisionId) return
  await ask(laneBoard.answer, { gateCode: lane.gateCode, decisionId: lane.decisionId, answer: 3, stayId: stayId as never }).then(
    () => toast('success', ['已匹配', 'Matched']),
    () => {},
  )
}

const NO_CAR: Text = ['通道上没有车', 'No car at the lane']
const NO_STAY: Text = ['没有对应的停车记录', 'There is no stay to correct']
const NOTHING_DUE: Text = ['没有待缴金额', 'Nothing is due']

/** What the number keys do on a lane, in a fixed order: a key means the same on every card. */
function actionsOf(lane: LaneRow, press: (open: Open) => void): LaneAction[] {
  const question = asks(lane)
  const due = lane.dueFen > 0
  const doing = (what: Open['doing']) => () => press({ lane, doing: what })
  const actions: (LaneAction & { needs: Parameters<typeof can>[0] })[] = [
    question
      ? { key: '1', text: ['放行', 'Let pass'], run: doing('pass'), main: true, needs: laneBoard.answer.needs }
      : { key: '1', text: ['开闸', 'Open'], run: doing('open'), needs: gate.openGate.needs },
    {
      key: '2',
      text: ['改牌', 'Plate'],
      run: doing('plate'),
      not: !lane.stayId && (isBusy(lane) ? NO_STAY : NO_CAR),
      needs: stay.correctPlate.needs,
    },
    {
      key: '3',
      text: due ? [`现金 ¥${yuan(lane.dueFen)}`, `Cash ¥${yuan(lane.dueFen)}`] : ['现金', 'Cash'],
      run: doing('cash'),
      main: due,
      not: !(due && lane.orderId) && NOTHING_DUE,
      needs: order.cash.needs,
    },
    { key: '4', text: ['免费', 'Free'], run: doing('free'), not: !due && NOTHING_DUE, needs: gate.openGate.needs },
  ]
  if (question) actions.push({ key: '5', text: ['拒绝', 'Refuse'], run: doing('refuse'), needs: laneBoard.answer.needs })
  if (question && lane.direction !== 1) actions.push({ key: '6', text: ['补时间', 'Entry'], run: doing('entry'), needs: laneBoard.answer.needs })
  // While a lane asks, what cannot be done now makes room for the answers.
  return actions.filter(({ needs, not }) => can(needs) && !(question && not))
}

const NO_KEYS: Record<string, Key> = {}
/** A lane is chosen by a press anywhere on its card, or when the focus comes into it. */
function useChosenLane(choose: (gateCode: string) => void) {
  const board = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const box = board.current
    const hear = ({ target }: globalThis.Event) => {
      const gate = (target as Element).closest<HTMLElement>('[data-gate]')?.dataset['gate']
      if (gate) choose(gate)
    }
    for (const type of ['focusin', 'mousedown']) box?.addEventListener(type, hear)
    return () => ['focusin', 'mousedown'].forEach((type) => box?.removeEventListener(type, hear))
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
      if (!at) return toast('info', ['先用方向键或鼠标选中一条车道', 'Choose a lane first, by arrow key or mouse'])
      const action = actionsOf(at, press).find((one) => one.key === key)
      if (action?.not) return toast('info', action.not)
      action?.run()
    },
  })
  const step = (by: number) => focus(lanes[at ? Math.min(lanes.length - 1, Math.max(0, lanes.indexOf(at) + by)) : 0])
  const keys = {
    1: number('1', ['开闸或放行', 'Open, or let pass']),
    2: number('2', ['修正车牌', 'Correct the plate']),
    3: number('3', ['收现金', 'Take cash']),
    4: number('4', ['免费放行', 'Let out free']),
    5: number('5', ['拒绝', 'Refuse']),
    6: number('6', ['输入入场时间', 'Enter when it came']),
    n: {
      text: ['到下一条需要人的车道', 'To the next lane that needs a person'],
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
  /** What is said while none of them waits. */
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
          <b>{say([`${waiting.length} 条车道需要处理`, `${waiting.length} ${waiting.length === 1 ? 'lane needs' : 'lanes need'} you`])}</b>
          {waiting.map((lane) => (
            <Tooltip key={lane.gateCode} title={lane.plateNo}>
              <Button size="small" onClick={() => focus(lane)}>
                {several && <ParkName code={lane.parkCode} still />} {lane.name} · {say(needOf(lane, now)?.text ?? ['', ''])}
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

/** What the lanes decided lately, newest first; it slides in above and nothing of the cards moves. */
const LATELY_SHOWN = 30
function Lately({ boards }: { boards: readonly ParkBoard[] }) {
  const say = useText()
  const several = boards.length > 1
  const rows = boards.flatMap((board) => board.recent).toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at)).slice(0, LATELY_SHOWN) // prettier-ignore
  return (
    <aside className="lately" aria-label={say(['最近通行', 'Lately'])}>
      <h2>{say(['最近通行', 'Lately'])}</h2>
      {rows.length === 0 && <Nothing>{say(['还没有车经过。', 'No car has come yet.'])}</Nothing>}
      <ol>
        {rows.map((row) => {
          const why = whyOf(row)
          return (
            <li key={row.id}>
              <time>{time(row.at).slice(11)}</time>
              <Plate number={row.plateNo} color={row.plateColor} />
              <State dictionary={LaneOutcome} value={row.outcome} />
              <Popover
                placement="left"
                mouseEnterDelay={0.3}
                title={say(['检查过程', 'Checks tried'])}
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
    <span className="live">{say(['连接中断，每 30 秒刷新', 'Disconnected; refreshed every 30 seconds'])}</span>
  )
}

function Doing({ lane, doing, onClose }: Open & { onClose: () => void }) {
  const at = { gateCode: lane.gateCode, name: lane.name, direction: lane.direction, dueFen: lane.dueFen }
  if (doing === 'open') return <OpenGate at={at} onClose={onClose} />
  if (doing === 'free') return <OpenGate at={at} fee={1} onClose={onClose} />
  if (doing === 'plate') return <CorrectPlateOf stayId={lane.stayId!} onClose={onClose} />
  if (doing === 'cash')
    return <CollectCash orderId={lane.orderId!} dueFen={lane.dueFen} plateNo={lane.plateNo} plateColor={lane.plateColor} onClose={onClose} />
  return <AnswerLane lane={lane} answer={doing === 'pass' ? 1 : doing === 'refuse' ? 2 : 4} onClose={onClose} />
}
