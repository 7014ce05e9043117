import { useQuery } from '@tanstack/react-query'
import { Alert, Input, Radio, Select } from 'antd'
import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { instantAt, msOf } from '../../../platform/contract/time.ts'
import { asks } from '../../../platform/web/ask.ts'
import { Dialog } from '../../../platform/web/Dialog.tsx'
import { useAct } from '../../../platform/web/remove.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { ImageUpload } from '../../../platform/web/Upload.tsx'
import { Level } from '../../after-sale/contract/level.ts'
import { patrolRecord } from '../contract/patrolRecord.ts'
import { ItemType } from '../contract/patrolRule.ts'
import { OPEN_STATES, scheduling, type Task } from '../contract/task.ts'
import { CHANGES } from './changes.ts'
import { InspectorSelect } from './choices.tsx'
import './inspection.css'

type Chosen = Of<typeof Task>
interface Found {
  ok?: boolean | undefined
  value?: string | undefined
  level?: number | undefined
  images?: string | undefined
}
const TASKS_SHOWN = 200

/** A round taken down at the console, where an inspector had no handheld: device by device, with the code that was scanned there or why it was not looked at. */
export function RoundForm({ onClose }: { onClose: () => void }) {
  const say = useText()
  const act = useAct(CHANGES)
  const [mid] = useState(() => crypto.randomUUID())
  const [began] = useState(() => instantAt(Date.now()))
  const [task, setTask] = useState<Chosen>()
  const [tollNo, setTollNo] = useState<string>()
  const [codes, setCodes] = useState<Record<string, string>>({})
  const [reasons, setReasons] = useState<Record<string, string>>({})
  const [found, setFound] = useState<Record<string, Found>>({})
  const tasks = useQuery(asks(scheduling.query, { state: [...OPEN_STATES], limit: TASKS_SHOWN } as never, { quiet: true })).data?.records ?? []
  const asked = asks(patrolRecord.devices, { taskId: task?.id as never }, { quiet: true })
  const devices = (useQuery({ ...asked, enabled: !!task }).data ?? []).filter(({ done }) => !done)
  const key = (deviceNo: string, item: string) => `${deviceNo} ${item}`
  const lines = devices.flatMap(({ deviceNo }) =>
    (task?.items ?? []).flatMap(({ name }) => {
      const one = found[key(deviceNo, name)]
      return one && !reasons[deviceNo] ? [{ deviceNo, itemName: name, ...one }] : []
    }),
  )
  const stood = devices.flatMap(({ deviceNo }): { deviceNo: string; reason?: string; code?: string }[] => {
    const [reason, code] = [reasons[deviceNo], codes[deviceNo]]
    return reason ? [{ deviceNo, reason }] : code ? [{ deviceNo, code }] : []
  })
  const choose = (id: string) => {
    const one = tasks.find((each) => each.id === id)
    setTask(one)
    setTollNo(one?.tollNo ?? undefined)
  }
  const save = () => {
    const startedAt = task && msOf(task.planFrom) > msOf(began) ? task.planFrom : began
    void act(patrolRecord.insert, { taskId: task!.id, tollNo: tollNo!, startedAt, endedAt: instantAt(Date.now()), lines, devices: stood, mid } as never, { done: ['已提交', 'Submitted'], answered: onClose })
  }
  const set = (deviceNo: string, item: string, change: Found) => setFound((all) => ({ ...all, [key(deviceNo, item)]: { ...all[key(deviceNo, item)], ...change } }))
  const ready = !!task && !!tollNo && (lines.length > 0 || stood.some(({ reason }) => reason !== undefined))
  return (
    <Dialog changed={task !== undefined} width={760} title={say(['提交巡检', 'Submit patrol'])} okText={say(['提交', 'Submit'])} cancelText={say(['取消', 'Cancel'])} onOk={save} onClose={onClose} okButtonProps={{ disabled: !ready }}>
      <div className="patrol-items">
        <Select className="round-task" aria-label={say(['任务', 'Task'])} placeholder={say(['选择任务', 'Choose a task'])} onChange={choose} options={tasks.map(({ id, taskNo, name, parkName }) => ({ value: id as string, label: `${parkName} ${name} ${taskNo}` }))} showSearch={{ optionFilterProp: 'label' }} />
        <InspectorSelect value={tollNo} onChange={setTollNo} />
        {task && devices.length === 0 && <Alert type="info" title={say(['该任务没有待检设备', 'No devices left to check in this task'])} />}
        {devices.map(({ deviceNo, name, gateCode }) => (
          <fieldset key={deviceNo} className="round-device">
            <legend>{`${name} ${deviceNo} ${gateCode ?? ''}`}</legend>
            <Input aria-label={say(['现场二维码', 'On-site code'])} placeholder={say(['扫描设备或通道的二维码', 'Scan the code of the device or its lane'])} value={codes[deviceNo] ?? ''} maxLength={300} onChange={({ target }) => setCodes((all) => ({ ...all, [deviceNo]: target.value }))} />
            {!reasons[deviceNo] && task!.items.map(({ name: item, type }) => <OneItem key={item} item={item} type={type} found={found[key(deviceNo, item)] ?? {}} set={(change) => set(deviceNo, item, change)} />)}
            <Input aria-label={say(['未检原因', 'Reason not checked'])} placeholder={say(['未检请填写原因', 'If not checked, enter a reason'])} value={reasons[deviceNo] ?? ''} maxLength={200} onChange={({ target }) => setReasons((all) => ({ ...all, [deviceNo]: target.value }))} />
          </fieldset>
        ))}
      </div>
    </Dialog>
  )
} // prettier-ignore

function OneItem({ item, type, found, set }: { item: string; type: number; found: Found; set: (change: Found) => void }) {
  const say = useText()
  const levels = Object.entries(Level.entries).map(([code, words]) => ({ value: Number(code), label: say(words as never as Text) }))
  return (
    <div className="patrol-item">
      <span className="round-item">{item}</span>
      {type === ItemType.number ? (
        <Input aria-label={item} inputMode="decimal" placeholder={say(['数值', 'Number'])} value={found.value ?? ''} maxLength={14} onChange={({ target }) => set({ value: target.value })} />
      ) : (
        <Radio.Group aria-label={item} value={found.ok} onChange={({ target }) => set({ ok: target.value })} options={[{ value: true, label: say(['正常', 'Normal']) }, { value: false, label: say(['异常', 'Abnormal']) }]} />
      )}
      {(found.ok === false || type === ItemType.number) && <Select aria-label={say(['级别', 'Level'])} allowClear placeholder={say(['异常级别', 'Severity'])} value={found.level} options={levels} onChange={(level) => set({ level })} />}
      {(type === ItemType.picture || found.ok === false) && <ImageUpload value={found.images ?? null} onChange={(images) => set({ images })} />}
    </div>
  )
} // prettier-ignore
