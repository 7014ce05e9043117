import { useQuery } from '@tanstack/react-query'
import { Alert, Form, Input, Radio } from 'antd'
import { useState } from 'react'
import type { Instant, Of } from '../../../platform/contract/field.ts'
import { instantAt } from '../../../platform/contract/time.ts'
import { asks, newKey } from '../../../platform/web/ask.ts'
import { Dialog } from '../../../platform/web/form/Dialog.tsx'
import { time } from '../../../platform/web/format.ts'
import { TimeField } from '../../../platform/web/form/inputs.tsx'
import { can } from '../../../platform/web/person.ts'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { ScanButton } from '../../../platform/web/draw/ScanButton.tsx'
import { Select } from '../../../platform/web/form/Select.tsx'
import { Loaded, NoChoice } from '../../../platform/web/page/states.tsx'
import { type Say, type Text, useText } from '../../../platform/web/text.ts'
import { ImageUpload } from '../../../platform/web/file/Upload.tsx'
import { Level } from '../../after-sale/contract/level.ts'
import { patrolRecord } from '../contract/patrolRecord.ts'
import { ItemType } from '../contract/patrolRule.ts'
import { OPEN_STATES, scheduling, type Task, TaskState } from '../contract/task.ts'
import { CHANGES } from './changes.ts'
import { InspectorSelect, useMyNumber } from './choices.tsx'
import { beginOf, lacking, offered } from './roundTasks.ts'
import './inspection.css'

type Chosen = Of<typeof Task>
type Device = Of<typeof patrolRecord.devices.reply>[number]
interface Found {
  ok?: boolean | undefined
  value?: string | undefined
  level?: number | undefined
  images?: string | undefined
}
const TASKS_SHOWN = 200

/** A round taken down at the console or on a telephone: device by device, with the code that was scanned there or why it was not looked at. `of` was chosen already. */
export function RoundForm({ of, onClose }: { of?: Chosen; onClose: () => void }) {
  const say = useText()
  const act = useAct(CHANGES)
  const [mid] = useState(() => newKey())
  const [tried, setTried] = useState(false)
  const choice = useChoice(of)
  const { task, tollNo, startedAt } = choice
  const asked = asks(patrolRecord.devices, { taskId: task?.id as never }, { quiet: true })
  const listed = useQuery({ ...asked, enabled: !!task })
  const devices = (listed.data ?? []).filter(({ done }) => !done)
  const items = task?.items ?? []
  const notes = useNotes(devices, items)
  const { lines, stood } = notes
  const lacks = lacking({ task: !!task, tollNo, startedAt, said: lines.length > 0 || stood.some(({ reason }) => reason !== undefined) })
  const save = () => {
    setTried(true)
    if (Object.keys(lacks).length > 0) return
    void act(
      patrolRecord.insert,
      { taskId: task!.id, tollNo: tollNo!, startedAt: startedAt!, endedAt: instantAt(Date.now()), lines, devices: stood, mid } as never,
      { done: ['已提交', 'Submitted'], answered: onClose },
    )
  }
  return (
    <Dialog
      changed={task !== of || lines.length > 0 || stood.length > 0}
      width={760}
      title={say(['提交巡检', 'Submit patrol'])}
      okText={say(['提交', 'Submit'])}
      cancelText={say(['取消', 'Cancel'])}
      onOk={save}
      onClose={onClose}
    >
      <Form layout="vertical" component="div" className="patrol-items">
        <ChoiceFields of={choice} lacks={tried ? lacks : {}} />
        {tried && lacks.said && <Alert type="error" showIcon title={say(lacks.said)} />}
        {task && (
          <Loaded of={listed}>
            {() => devices.length === 0 && <Alert type="info" title={say(['该任务没有待检设备', 'No devices left to check in this task'])} />}
          </Loaded>
        )}
        {devices.map((one) => (
          <OneDevice key={one.deviceNo} of={one} items={items} notes={notes} />
        ))}
      </Form>
    </Dialog>
  )
}

/** The task, who goes and since when: the last two come with the task until somebody says otherwise. */
function useChoice(of: Chosen | undefined) {
  const [began] = useState(() => instantAt(Date.now()))
  const [task, setTask] = useState(of)
  const [chosenNo, setTollNo] = useState(of?.tollNo ?? undefined)
  const { tasks, mine, all } = useTasks(began, of)
  const tollNo = chosenNo ?? (task ? mine : undefined)
  const [startedAt, setStartedAt] = useState<Instant | undefined>(of && beginOf(of, began))
  const choose = (id: string) => {
    const one = tasks.find((each) => each.id === id)
    setTask(one)
    setTollNo(one?.tollNo ?? undefined)
    setStartedAt(one && beginOf(one, began))
  }
  return { tasks, all, task, tollNo, startedAt, choose, setTollNo, setStartedAt }
}
function ChoiceFields({ of, lacks }: { of: ReturnType<typeof useChoice>; lacks: ReturnType<typeof lacking> }) {
  const say = useText()
  const { tasks, all, task, tollNo, startedAt, choose, setTollNo, setStartedAt } = of
  const wrong = (name: keyof typeof lacks) => lacks[name] && ({ validateStatus: 'error', help: say(lacks[name]) } as const)
  return (
    <>
      <Form.Item required label={say(['任务', 'Task'])} htmlFor="round-task" {...wrong('task')}>
        <Select
          id="round-task"
          placeholder={say(['选择任务', 'Choose a task'])}
          {...(task && { value: task.id as string })}
          onChange={choose}
          notFoundContent={<NoChoice of={all} none={['没有可以开始的任务', 'No task can begin now']} />}
          options={tasks.map((one) => ({ value: one.id as string, label: wordsOf(one, say) }))}
          showSearch={{ optionFilterProp: 'label' }}
        />
      </Form.Item>
      <Form.Item required label={say(['巡检员', 'Inspector'])} htmlFor="round-inspector" {...wrong('tollNo')}>
        <InspectorSelect id="round-inspector" value={tollNo} onChange={setTollNo} />
      </Form.Item>
      <Form.Item required label={say(['开始时间', 'Started at'])} htmlFor="round-begin" {...wrong('startedAt')}>
        <TimeField
          id="round-begin"
          future={false}
          value={startedAt ?? null}
          onChange={(time) => setStartedAt((time ?? undefined) as Instant | undefined)}
        />
      </Form.Item>
    </>
  )
}

const keyOf = (deviceNo: string, item: string) => `${deviceNo} ${item}`
/** Keeps the notes of a round, device by device: the scanned code, the reason for not inspecting, and the finding of each item. */
function useNotes(devices: readonly Device[], items: Chosen['items']) {
  const [codes, setCodes] = useState<Record<string, string>>({})
  const [reasons, setReasons] = useState<Record<string, string>>({})
  const [found, setFound] = useState<Record<string, Found>>({})
  const lines = devices.flatMap(({ deviceNo }) =>
    items.flatMap(({ name }) => {
      const one = found[keyOf(deviceNo, name)]
      return one && !reasons[deviceNo] ? [{ deviceNo, itemName: name, ...one }] : []
    }),
  )
  const stood = devices.flatMap(({ deviceNo }): { deviceNo: string; reason?: string; code?: string }[] => {
    const [reason, code] = [reasons[deviceNo], codes[deviceNo]]
    return reason ? [{ deviceNo, reason }] : code ? [{ deviceNo, code }] : []
  })
  return {
    lines,
    stood,
    codes,
    reasons,
    found,
    setCode: (deviceNo: string, code: string) => setCodes((all) => ({ ...all, [deviceNo]: code })),
    setReason: (deviceNo: string, reason: string) => setReasons((all) => ({ ...all, [deviceNo]: reason })),
    setFound: (deviceNo: string, item: string, change: Found) =>
      setFound((all) => ({ ...all, [keyOf(deviceNo, item)]: { ...all[keyOf(deviceNo, item)], ...change } })),
  }
}
function OneDevice({ of, items, notes }: { of: Device; items: Chosen['items']; notes: ReturnType<typeof useNotes> }) {
  const say = useText()
  const { deviceNo, name, gateCode } = of
  return (
    <fieldset className="round-device">
      <legend>{`${name} ${deviceNo} ${gateCode ?? ''}`}</legend>
      <div className="round-code">
        <Input
          aria-label={say(['现场二维码', 'On-site code'])}
          placeholder={say(['设备或通道的二维码', 'Code of the device or its lane'])}
          value={notes.codes[deviceNo] ?? ''}
          maxLength={300}
          onChange={({ target }) => notes.setCode(deviceNo, target.value)}
        />
        <ScanButton onCode={(code) => notes.setCode(deviceNo, code)} />
      </div>
      {!notes.reasons[deviceNo] &&
        items.map(({ name: item, type }) => (
          <OneItem
            key={item}
            item={item}
            type={type}
            found={notes.found[keyOf(deviceNo, item)] ?? {}}
            set={(change) => notes.setFound(deviceNo, item, change)}
          />
        ))}
      <Input
        aria-label={say(['未检原因', 'Reason not checked'])}
        placeholder={say(['未检请填写原因', 'If not checked, enter a reason'])}
        value={notes.reasons[deviceNo] ?? ''}
        maxLength={200}
        onChange={({ target }) => notes.setReason(deviceNo, target.value)}
      />
    </fieldset>
  )
}

/** Reads the tasks that can begin now, the inspector's own first; a supervisor sees everybody's. */
function useTasks(now: Instant, of: Chosen | undefined) {
  const asked = { state: [...OPEN_STATES], planFromTo: now, orderByColumn: 'planFrom', isAsc: false, limit: TASKS_SHOWN } as never
  const all = useQuery(asks(scheduling.query, asked, { quiet: true }))
  const mine = useMyNumber()
  const shown = offered(all.data?.records ?? [], { mine, all: can(scheduling.update.needs), now })
  return { tasks: of && !shown.some(({ id }) => id === of.id) ? [of, ...shown] : shown, mine, all }
}
/** When and where come first: a park has many rounds of one name. */
function wordsOf({ planFrom, planTo, state, name, parkName, taskNo }: Chosen, say: Say): string {
  const [zh, en] = TaskState.entries[state]
  return `${time(planFrom).slice(5, 16)} – ${time(planTo).slice(5, 16)} · ${parkName} · ${name} · ${say([zh, en])} · ${taskNo}`
}

function OneItem({ item, type, found, set }: { item: string; type: number; found: Found; set: (change: Found) => void }) {
  const say = useText()
  const levels = Object.entries(Level.entries).map(([code, words]) => ({ value: Number(code), label: say(words as never as Text) }))
  return (
    <div className="patrol-item">
      <span className="round-item">{item}</span>
      {type === ItemType.number ? (
        <Input
          aria-label={item}
          inputMode="decimal"
          placeholder={say(['数值', 'Number'])}
          value={found.value ?? ''}
          maxLength={14}
          onChange={({ target }) => set({ value: target.value })}
        />
      ) : (
        <Radio.Group
          aria-label={item}
          value={found.ok}
          onChange={({ target }) => set({ ok: target.value })}
          options={[
            { value: true, label: say(['正常', 'Normal']) },
            { value: false, label: say(['异常', 'Abnormal']) },
          ]}
        />
      )}
      {(found.ok === false || type === ItemType.number) && (
        <Select
          aria-label={say(['级别', 'Level'])}
          allowClear
          placeholder={say(['异常级别', 'Severity'])}
          value={found.level}
          options={levels}
          onChange={(level) => set({ level })}
        />
      )}
      {(type === ItemType.picture || found.ok === false) && <ImageUpload value={found.images ?? null} onChange={(images) => set({ images })} />}
    </div>
  )
}
