import type { Heard, Kind, Reason } from '../../domains/device/server/api.ts'
import { isKeepable } from '../../platform/server/text/keepable.ts'
import { OVERSIZED, PAYLOAD_MAX } from './frames.ts'

/** Topics and payloads of devices: `v1/devices/{sn}/…`, JSON objects of at most 8 KiB in UTF-8. */
export const rootOf = (sn: string) => `v1/devices/${sn}/`
export const requestTopic = (sn: string, id: string) => `${rootOf(sn)}rpc/request/${id}`
export const warningTopic = (sn: string) => `${rootOf(sn)}warning`
const TOPIC = /^v1\/devices\/([A-Za-z0-9][A-Za-z0-9_.-]{0,31})\/(?:(event|telemetry|attributes|status)|rpc\/response\/([0-9a-fA-F-]{1,64}))$/
/** A subscription of a device's own: nothing above its serial number. */
export const mayHear = (sn: string, filter: string) => filter.startsWith(rootOf(sn))

export interface Response {
  sn: string
  id: string
  code: number
  msg?: string
  data?: unknown
}
export type Read = { heard: Heard } | { response: Response } | { reject: Reason; en: string }

/** Returns the serial number in a topic, for a broker that is not ours. */
export const snOf = (topic: string): string | undefined => TOPIC.exec(topic)?.[1]

const utf8 = new TextDecoder('utf-8', { fatal: true })
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const MID_MAX = 64

/** A message of the device `sn`, or the reason why it is none. Never throws. */
export function read(sn: string, topic: string, payload: Uint8Array, receivedMs: number): Read {
  const [, of, kind, id] = TOPIC.exec(topic) ?? []
  if (of !== sn) return no('topic', 'this topic is not yours or does not exist')
  if (payload.length > PAYLOAD_MAX || Buffer.from(payload.subarray(0, OVERSIZED.length)).equals(Buffer.from(OVERSIZED)))
    return no('oversized', `a message holds at most ${PAYLOAD_MAX} bytes; pictures are uploaded`)
  let text: string
  try {
    text = utf8.decode(payload)
  } catch {
    return no('encoding', 'the text is not UTF-8')
  }
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return no('json', 'the text is not JSON')
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return no('json', 'a JSON object is expected')
  if (!isKeepable(body)) return no('unstorable', 'it holds a character that cannot be kept')
  return id === undefined ? heardOf(sn, kind as Kind, body as Body, receivedMs) : responseOf(sn, id, body as Body)
}
type Body = Record<string, unknown>
const no = (reject: Reason, en: string): Read => ({ reject, en })

function responseOf(sn: string, id: string, { code, msg, data }: Body): Read {
  const number = numberOf(code)
  if (!UUID.test(id) || number === undefined || !Number.isInteger(number) || Math.abs(number) > 9999)
    return no('command', 'an answer has the id of its command and a code')
  return { response: { sn, id, code: number, ...(typeof msg === 'string' && { msg: msg.slice(0, 200) }), ...(data !== undefined && { data }) } }
}

function heardOf(sn: string, kind: Kind, body: Body, receivedMs: number): Read {
  const mid = typeof body['mid'] === 'number' ? String(body['mid']) : body['mid']
  const hasMid = typeof mid === 'string' && mid !== '' && mid.length <= MID_MAX
  if (!hasMid && (kind === 'event' || kind === 'telemetry' || mid !== undefined)) return no('mid', `mid is missing or longer than ${MID_MAX}`)
  const ts = body['ts'] === undefined || body['ts'] === null ? null : numberOf(body['ts'])
  if (ts === undefined) return no('form', 'ts is not in milliseconds since 1970')
  const at = { ts: ts === null ? null : Math.trunc(ts), receivedMs }
  const seq = body['seq'] === undefined || body['seq'] === null ? null : numberOf(body['seq'])
  if (seq === undefined || (seq !== null && (!Number.isSafeInteger(seq) || seq < 0))) return no('form', 'seq is no count')
  const offline = body['offline'] === true || body['offline'] === 1 || body['offline'] === 'true'
  const type = kind === 'event' ? body['type'] : kind
  if (typeof type !== 'string' || !/^[A-Za-z][\w.-]{0,31}$/.test(type)) return no('form', 'an event has a type')
  const fault = kind === 'event' ? faultOf(type, body) : undefined
  if (fault) return no('form', fault)
  return { heard: { sn, kind, mid: hasMid ? mid : null, ...at, offline, seq, type, body } }
}

const COLORS = ['blue', 'green', 'yellow', 'white', 'black', 'yellow-green', 'unknown']
const OF_BERTHS = ['occupied', 'vacant', 'seen']
/** The event of a dome that saw a car at one of its presets. */
const OF_DOME = 'illegalStop'
const OF_STREET = [...OF_BERTHS, OF_DOME]
const PRESET_MAX = 255
const PLATE_MAX = 16
/** Names the fault that makes an event of a lane, berth or dome useless. Numbers sent as text become numbers. */
function faultOf(type: string, body: Body): string | undefined {
  if (type === OF_DOME) {
    const preset = numberOf(body['preset'])
    if (preset === undefined || !Number.isInteger(preset) || preset < 1 || preset > PRESET_MAX) return `preset is a number from 1 to ${PRESET_MAX}`
    body['preset'] = preset
  }
  if (OF_STREET.includes(type)) {
    if (body['berth'] !== undefined && (typeof body['berth'] !== 'string' || body['berth'].length > 24)) return 'berth is a code'
    if (body['images'] !== undefined && !(Array.isArray(body['images']) && body['images'].length <= 10 && body['images'].every(isReference)))
      return 'images are references'
  }
  if (type === 'plate' || OF_STREET.includes(type)) {
    // A sensor knows no plate, and a camera that read none says so by a word, by nothing or by leaving it out: it is a car all the same.
    if (body['plate'] === null || (type === 'plate' && body['plate'] === undefined)) body['plate'] = ''
    if (body['plate'] !== undefined && (typeof body['plate'] !== 'string' || body['plate'].length > PLATE_MAX)) return 'plate is no text, or too long'
  }
  if (type === 'plate' || OF_STREET.includes(type)) {
    if (body['direction'] !== undefined && body['direction'] !== 'in' && body['direction'] !== 'out') return 'direction is in or out'
    if (body['color'] !== undefined && !COLORS.includes(body['color'] as string)) return `color is one of ${COLORS.join(', ')}`
    if (body['image'] !== undefined && !isReference(body['image'])) return 'image is a reference'
    if (body['confidence'] !== undefined) {
      const confidence = numberOf(body['confidence'])
      if (confidence === undefined || confidence < 0 || confidence > 1) return 'confidence is between 0 and 1'
      body['confidence'] = confidence
    }
  }
  if (type === 'gate' && !['opened', 'closed', 'blocked'].includes(body['state'] as string)) return 'state is opened, closed or blocked'
  if (type === 'button' && body['name'] !== undefined && (typeof body['name'] !== 'string' || body['name'].length > 64)) return 'name is a text'
  return undefined
}

const isReference = (value: unknown) => typeof value === 'string' && value.length <= 300
/** Devices write numbers as text now and then. */
function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  return typeof value === 'string' && /^-?\d{1,16}(\.\d{1,9})?$/.test(value) ? Number(value) : undefined
}
