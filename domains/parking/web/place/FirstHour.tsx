import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Modal } from 'antd'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Link } from 'react-router'
import type { Call } from '../../../../platform/contract/call.ts'
import { asks } from '../../../../platform/web/ask.ts'
import { useFrames } from '../../../../platform/web/live.ts'
import { can } from '../../../../platform/web/person.ts'
import { type Text, useText } from '../../../../platform/web/text.ts'
import { device, DEVICE_TOPIC } from '../../../device/contract/device.ts'
import { associate } from '../../../fee/contract/associate.ts'
import { rule } from '../../../fee/contract/rule.ts'
import { Direction, gate } from '../../contract/gate.ts'
import { park } from '../../contract/park.ts'
import { SessionStatus, stay } from '../../contract/stay.ts'
import { STAY_TOPIC } from '../stay/changes.ts'
import { FirstCar, Lacks } from './FirstCar.tsx'
import { freeCode, isDone, missingWays, nextOf, standsAt, type Step, STEP_NAMES, STEPS, type There } from './firstHour.ts'
import { LANE_TOPIC } from '../lane/useBoards.ts'
import { useRules } from './useRules.ts'
import '../firstHour.css'

const GateForm = lazy(async () => ({ default: (await import('../lane/GateForm.tsx')).GateForm }))
const ParkFacts = lazy(async () => ({ default: (await import('./ParkFacts.tsx')).ParkFacts }))
const AddDevice = lazy(async () => ({ default: (await import('../../../device/web/api/Devices.tsx')).AddDevice }))
const Tie = lazy(async () => ({ default: (await import('../../../fee/web/api/Ties.tsx')).Tie }))
const RULES = '/appManage/toll/ordinary'
const DEVICES = '/assetManage/parkingAndFacility/device'

type Doing = { what: 'park' } | { what: 'tie' } | { what: 'gate'; way: 1 | 2 } | { what: 'device'; gateCode: string }
type Gates = NonNullable<There['gates']>
interface Place {
  parkCode: string
  name: string
}
interface PartProps {
  at: Place
  there: There
  begin: (doing: Doing) => void
}

/** A new park's first hour: what it needs, what it has already, and the form of the next step, up to a car that drove in and out. */
export function FirstHour({ at, onClose }: { at: Place; onClose: () => void }) {
  const say = useText()
  const there = useThere(at.parkCode)
  const [doing, setDoing] = useState<Doing>()
  const next = nextOf(there)
  const done = STEPS.filter((step) => isDone[step](there)).length
  return (
    <Modal
      open
      width={720}
      mask={{ closable: false }}
      title={`${say(['开通向导', 'Setup guide'])} · ${at.name} ${at.parkCode}`}
      onCancel={onClose}
      footer={<Button onClick={onClose}>{say(next ? ['稍后继续', 'Continue later'] : ['完成', 'Done'])}</Button>}
    >
      <p className="soft">
        {next
          ? say([
              `已完成 ${done} / ${STEPS.length} 步；随时可以离开，再打开时从这里继续`,
              `${done} of ${STEPS.length} steps done. You can leave at any time and continue from here.`,
            ])
          : say(['已开通：车可以进出并计费', 'Ready: cars can enter, leave and be billed'])}
      </p>
      <ol className="first-hour">
        {STEPS.map((step) => (
          <OneStep key={step} step={step} done={isDone[step](there)} now={step === next}>
            {PARTS[step]({ at, there, begin: setDoing })}
          </OneStep>
        ))}
      </ol>
      {doing && (
        <Suspense>
          <Dialog doing={doing} at={at} gates={there.gates ?? []} onClose={() => setDoing(undefined)} />
        </Suspense>
      )}
    </Modal>
  )
}

function OneStep({ step, done, now, children }: { step: Step; done: boolean; now: boolean; children: ReactNode }) {
  const say = useText()
  const state: Text = done ? ['已完成', 'Done'] : now ? ['进行中', 'Now'] : ['待完成', 'To do']
  return (
    <li aria-current={now ? 'step' : undefined}>
      <h3>
        {say(STEP_NAMES[step])} <span className={`state ${done ? 'success' : now ? 'warning' : 'default'}`}>{say(state)}</span>
      </h3>
      {children}
    </li>
  )
}

const PARTS: Record<Step, (props: PartProps) => ReactNode> = {
  park: (props) => <ParkPart {...props} />,
  gates: (props) => <GatesPart {...props} />,
  devices: (props) => <DevicesPart {...props} />,
  tariff: (props) => <TariffPart {...props} />,
  car: ({ at, there }) => <FirstCar parkCode={at.parkCode} ready={isDone.gates(there)} />,
}

function Act({ call, text, lacks, run }: { call: Call<any, unknown>; text: Text; lacks: Text; run: () => void }) {
  const say = useText()
  if (!can(call.needs)) return <Lacks what={lacks} />
  return <Button onClick={run}>{say(text)}</Button>
}

function ParkPart({ at, begin }: PartProps) {
  const say = useText()
  return (
    <div className="first-hour-line">
      <span>
        {at.name} <code className="faint">{at.parkCode}</code>
      </span>
      {can(park.update.needs) && (
        <Button size="small" onClick={() => begin({ what: 'park' })}>
          {say(['修改资料', 'Edit'])}
        </Button>
      )}
    </div>
  )
}

const EDITS_GATES: Text = ['通道管理 · 新增与修改', 'Lane management · Add and change']
function GatesPart({ there: { gates }, begin }: PartProps) {
  const say = useText()
  if (!can(gate.queryPage.needs)) return <Lacks what={['通道管理', 'Lane management']} />
  if (!gates) return null
  const missing = missingWays(gates)
  const way = (direction: 1 | 2): Text => (direction === Direction.entrance ? ['添加入口', 'Add an entrance'] : ['添加出口', 'Add an exit'])
  return (
    <>
      {gates.length === 0 && (
        <p className="faint">
          {say(['车从通道进出；至少要一个入口、一个出口', 'Cars enter and leave through lanes: add at least one entrance and one exit'])}
        </p>
      )}
      <ul>
        {gates.map((one) => (
          <li key={one.gateCode}>
            {one.name} <code className="faint">{one.gateCode}</code> · {say(Direction.entries[one.direction])}
          </li>
        ))}
      </ul>
      {missing.length > 0 && !can(gate.add.needs) && <Lacks what={EDITS_GATES} />}
      {can(gate.add.needs) &&
        missing.map((one) => <Act key={one} call={gate.add} text={way(one)} lacks={EDITS_GATES} run={() => begin({ what: 'gate', way: one })} />)}
    </>
  )
}

const STANDS: Record<ReturnType<typeof standsAt>, readonly [string, string, string]> = {
  none: ['default', '没有设备', 'No device'],
  offline: ['error', '离线：用设备编号和密钥连接平台', 'Offline: connect it with its serial number and secret'],
  online: ['success', '在线', 'Online'],
}
function DevicesPart({ there: { gates = [], devices }, begin }: PartProps) {
  const say = useText()
  if (gates.length === 0) return <p className="faint">{say(['先添加通道', 'Add lanes first'])}</p>
  return (
    <>
      <ul>
        {gates.map((one) => {
          const stands = standsAt(one, devices)
          const [tone, zh, en] = STANDS[stands]
          return (
            <li key={one.gateCode} className="first-hour-line">
              <span>{one.name}</span>
              <span className={`state ${tone}`}>{say([zh, en])}</span>
              {stands === 'none' && can(device.insert.needs) && (
                <Button size="small" onClick={() => begin({ what: 'device', gateCode: one.gateCode })}>
                  {say(['登记设备', 'Register a device'])}
                </Button>
              )}
            </li>
          )
        })}
      </ul>
      {!can(device.insert.needs) && gates.some((one) => standsAt(one, devices) === 'none') && (
        <Lacks what={['停车场设备 · 新增与修改', 'Car park devices · Add and change']} />
      )}
      {can(device.find.needs) && <Link to={DEVICES}>{say(['全部设备', 'All devices'])}</Link>}
    </>
  )
}

function TariffPart({ there: { rule: name }, begin }: PartProps) {
  const say = useText()
  if (!can(associate.queryPage.needs)) return <Lacks what={['停车场收费规则绑定', 'Fee rules by car park']} />
  if (name) return <p>{say([`临时车按「${name}」计费`, `Temporary cars are billed by “${name}”`])}</p>
  return (
    <>
      <p className="faint">
        {say(['没有适用的规则：车可以进，出场时算不出费用', 'No fee rule applies: cars can enter, but no fee can be calculated when they leave'])}
      </p>
      <div className="first-hour-line">
        <Act
          call={associate.insert}
          text={['关联规则', 'Link a rule']}
          lacks={['停车场收费规则绑定 · 关联规则', 'Fee rules by car park · Link a rule']}
          run={() => begin({ what: 'tie' })}
        />
        {can(rule.insert.needs) && <Link to={RULES}>{say(['还没有规则？先建一条并发布', 'No rule yet? Create one and publish it'])}</Link>}
      </div>
    </>
  )
}

function Dialog({ doing, at, gates, onClose }: { doing: Doing; at: Place; gates: Gates; onClose: () => void }) {
  const { parkCode } = at
  if (doing.what === 'park') return <ParkOf parkCode={parkCode} onClose={onClose} />
  if (doing.what === 'tie') return <Tie place={{ parkCode }} onClose={onClose} />
  if (doing.what === 'device') return <AddDevice at={{ parkCode, gateCode: doing.gateCode }} onClose={onClose} />
  return <GateForm at={{ parkCode, gateCode: freeCode(parkCode, gates), direction: doing.way }} onClose={onClose} />
}
function ParkOf({ parkCode, onClose }: { parkCode: string; onClose: () => void }) {
  const { data } = useQuery(asks(park.queryPage, { parkCode, limit: 1 }, { quiet: true }))
  const of = data?.records.find((one) => one.parkCode === parkCode)
  return of ? <ParkFacts of={of} onClose={onClose} /> : null
}

const MOST = 100
/** A device that comes online, a car that is read: heard at once, and looked after in case it was not. */
const LOOK_AGAIN_MS = 5_000
/** Reads what the park has, by the calls of the lists themselves: each only for a person who may see it. */
function useThere(parkCode: string): There {
  const cache = useQueryClient()
  const look = { refetchInterval: LOOK_AGAIN_MS }
  const gates = useQuery({ ...asks(gate.queryPage, { parkCode, limit: MOST }, { quiet: true }), ...look, enabled: can(gate.queryPage.needs) })
  const devices = useQuery({ ...asks(device.find, { parkCode, limit: MOST }, { quiet: true }), ...look, enabled: can(device.find.needs) })
  const out = useQuery({
    ...asks(stay.queryPage, { parkCode, status: [SessionStatus.left], limit: 1 }, { quiet: true }),
    ...look,
    enabled: can(stay.queryPage.needs),
  })
  const again = (calls: readonly Call<any, any>[]) => () => void Promise.all(calls.map(({ id }) => cache.invalidateQueries({ queryKey: [id] })))
  useFrames(LANE_TOPIC, again([gate.queryPage]))
  useFrames(DEVICE_TOPIC, again([device.find, gate.queryPage]))
  useFrames(STAY_TOPIC, again([stay.queryPage, stay.story]))
  return { gates: gates.data?.records, devices: devices.data?.records, rule: useRules()(parkCode), drove: (out.data?.records.length ?? 0) > 0 }
}
