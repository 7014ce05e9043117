import type { Of } from '../../../platform/contract/field.ts'
import { BadInput, refusal } from '../../../platform/server/refusal.ts'
import { type Line, type patrolRecord, Proof } from '../contract/patrolRecord.ts'
import { type Item, ItemType } from '../contract/patrolRule.ts'

const NotThere = refusal(
  'inspection.not-there',
  42010,
  '无法确认已到达设备 {deviceNo} 现场：请扫描设备或其通道的二维码（无通道的可扫车场码），或在 {most} 米内定位',
  'No proof of presence at {deviceNo}: scan its code or its lane’s code (the car park’s if it has no lane), or be within {most} m',
  422,
)
const NotDue = refusal(
  'inspection.not-due',
  42011,
  '设备 {deviceNo} 不在该任务范围内，请核对设备或任务',
  'Device {deviceNo} is not part of this task: check the device or the task',
  422,
)
const NoSuchItem = refusal(
  'inspection.no-such-item',
  42012,
  '任务没有检查项「{item}」，请刷新任务后再提交',
  'This task has no item “{item}”: refresh the task and submit again',
  422,
)
const Unclear = refusal('inspection.unclear', 42013, '{deviceNo} 的「{item}」：{zh}', '{deviceNo}, “{item}”: {en}', 422)

/** A position within this distance is at the device. */
export const NEAR_M = 100
type Sent = Of<typeof patrolRecord.insert.input>
export type Looked = Omit<Of<typeof Line>, 'id' | 'repairNo'>
export interface Due {
  deviceNo: string
  name: string
  type: Looked['deviceType']
  gateCode: string | null
  parkCode: string
}
/** Where a scanned code hangs, and how far from a place somebody stood: worked out before, for all devices at once. */
export interface Stood {
  /** Its own code was scanned. */
  own: boolean
  code?: { parkCode: string; gateCode: string | null; ofPark: boolean } | undefined
  distM: number | null
}

/** Judges a round's lines by the task's own items. @throws NotDue, NoSuchItem, NotThere, Unclear */
export function judge(sent: Sent, items: readonly Of<typeof Item>[], due: ReadonlyMap<string, Due>, stood: ReadonlyMap<string, Stood>): Looked[] {
  const known = new Map(items.map((item) => [item.name, item]))
  const twice = new Set<string>()
  return sent.lines.map((line) => {
    const { deviceNo, itemName } = line
    const device = due.get(deviceNo)
    if (!device) throw NotDue({ deviceNo })
    const item = known.get(itemName)
    if (!item) throw NoSuchItem({ item: itemName })
    const key = `${deviceNo} ${itemName}`
    if (twice.has(key)) throw BadInput({ zh: `${deviceNo} 的「${itemName}」填写了两次`, en: `“${itemName}” of ${deviceNo} is entered twice` })
    twice.add(key)
    const ok = judged(line, item)
    const { value = null, images = null, level = null } = line
    if (!ok && level === null) throw Unclear({ deviceNo, item: itemName, zh: '异常须填写级别', en: 'choose a level for what is abnormal' })
    const { name: deviceName, type: deviceType } = device
    return {
      deviceNo,
      deviceName,
      deviceType,
      itemName,
      itemType: item.type,
      value,
      ok,
      level: ok ? null : level,
      images,
      ...proofOf(device, stood.get(deviceNo)),
    }
  })
}

/** A number is judged by its bounds, whatever its reader thinks. @throws Unclear */
function judged({ deviceNo, itemName: item, value, ok, images }: Sent['lines'][number], { type, min = null, max = null }: Of<typeof Item>): boolean {
  if (type === ItemType.picture && !images) throw Unclear({ deviceNo, item, zh: '请上传照片', en: 'upload a picture' })
  if (type !== ItemType.number) {
    if (ok === undefined) throw Unclear({ deviceNo, item, zh: '请填写正常或异常', en: 'choose normal or abnormal' })
    return ok
  }
  if (value === undefined || !/^-?\d{1,9}(\.\d{1,3})?$/.test(value)) throw Unclear({ deviceNo, item, zh: '请填写数值', en: 'enter a number' })
  const read = Number(value)
  return (min === null || read >= min) && (max === null || read <= max)
}

/** A code that hangs at its lane, or in its park where it stands at none; or a position. @throws NotThere */
function proofOf({ deviceNo, gateCode, parkCode }: Due, stood: Stood | undefined): Pick<Looked, 'proof' | 'distM'> {
  const { own, code, distM = null } = stood ?? {}
  if (own) return { proof: Proof.code, distM: null }
  if (code && code.parkCode === parkCode && (gateCode === null ? code.ofPark : code.gateCode === gateCode)) return { proof: Proof.code, distM: null }
  if (distM !== null && distM <= NEAR_M) return { proof: Proof.place, distM }
  throw NotThere({ deviceNo, most: NEAR_M })
}
