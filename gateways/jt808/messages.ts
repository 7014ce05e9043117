import type { Said, TerminalOrder, TerminalShot } from '../../domains/fleet/server/api.ts'
import { TerminalAct } from '../../domains/fleet/contract/terminal.ts'
import type { Instant } from '../../platform/contract/field.ts'
import { instantOf } from '../../platform/contract/time.ts'
import { inGbk } from '../../platform/server/text/gbk.ts'
import type { Unfinished } from './parts.ts'

/** Numbers of the messages, each of which fixes the layout of its body. */
export const Message = {
  answer: 0x0001,
  heartbeat: 0x0002,
  logOut: 0x0003,
  whatTime: 0x0004,
  register: 0x0100,
  authenticate: 0x0102,
  whatTime2013: 0x0109,
  position: 0x0200,
  batch: 0x0704,
  platformAnswer: 0x8001,
  again: 0x8003,
  time: 0x8004,
  time2013: 0x8109,
  registered: 0x8100,
  mediaAnswer: 0x8800,
  text: 0x8300,
  shoot: 0x8801,
  track: 0x8202,
  shot: 0x0805,
  media: 0x0801,
} as const
export const Result = { ok: 0, failed: 1, wrong: 2, unsupported: 3 } as const
export const RegisterResult = { ok: 0, vehicleKnown: 1, noVehicle: 2, terminalKnown: 3, noTerminal: 4 } as const

const POSITION_BYTES = 28
const STATUS = { acc: 0, fixed: 1, south: 2, west: 3 }
const ITEM = { mileage: 0x01, satellites: 0x31 }
const MICRO = 1_000_000
/** All bits set is what a terminal says of what it does not know. */
const UNKNOWN = 0xffffffff
const gbk = new TextDecoder('gbk')
const textOf = (bytes: Buffer) => gbk.decode(bytes).replaceAll('\0', '').trim()
const bitOf = (bits: number, bit: number) => ((bits >>> bit) & 1) === 1

/** By the version of the header, and by the length where terminals of 2011 send the short model. */
export function readRegistration(body: Buffer, is2019: boolean): { terminalId: string; car: string } | undefined {
  const [maker, model, terminal] = is2019 ? [11, 30, 30] : [5, 20, 7]
  const from = 4 + maker + model
  const at = from + terminal
  if (body.length < at + 1) return undefined
  return { terminalId: textOf(body.subarray(from, at)), car: textOf(body.subarray(at + 1)) }
}
/** 2019 says the length of the code, then its own number and software. */
export function readCode(body: Buffer, is2019: boolean): string | undefined {
  if (!is2019) return textOf(body)
  const length = body[0]
  return length === undefined || body.length < 1 + length ? undefined : textOf(body.subarray(1, 1 + length))
}

/** Reads a position. Items that are cut off behind the fixed part are left out; the position is kept. */
export function readPosition(body: Buffer): Said | undefined {
  if (body.length < POSITION_BYTES) return undefined
  const alarmBits = body.readUInt32BE(0)
  const statusBits = body.readUInt32BE(4)
  const heading = body.readUInt16BE(20)
  const items = itemsOf(body.subarray(POSITION_BYTES))
  const mileage = items.get(ITEM.mileage)
  const satellites = items.get(ITEM.satellites)
  return {
    deviceTime: timeOf(body.toString('hex', 22, 28)) ?? null,
    lat: (body.readUInt32BE(8) / MICRO) * (bitOf(statusBits, STATUS.south) ? -1 : 1),
    lng: (body.readUInt32BE(12) / MICRO) * (bitOf(statusBits, STATUS.west) ? -1 : 1),
    alt: body.readInt16BE(16),
    speed: body.readUInt16BE(18),
    heading: heading > 360 ? 0 : heading,
    acc: bitOf(statusBits, STATUS.acc),
    fixed: bitOf(statusBits, STATUS.fixed),
    mileageM: mileage?.length === 4 && mileage.readUInt32BE(0) !== UNKNOWN ? mileage.readUInt32BE(0) * 100 : null,
    alarmBits,
    statusBits,
    satellites: satellites?.length === 1 ? satellites[0]! : null,
  }
}
function itemsOf(bytes: Buffer): Map<number, Buffer> {
  const items = new Map<number, Buffer>()
  for (let at = 0; at + 2 <= bytes.length;) {
    const end = at + 2 + bytes[at + 1]!
    if (end > bytes.length) break
    items.set(bytes[at]!, bytes.subarray(at + 2, end))
    at = end
  }
  return items
}
/** Two digits each, the city's clock. A clock that was never set, or says a day that is none, says no time. */
function timeOf(bcd: string): Instant | undefined {
  if (!/^\d{12}$/.test(bcd)) return undefined
  const [year, month, day, hour, minute, second] = bcd.match(/../g)!
  return instantOf(`20${year}-${month}-${day}T${hour}:${minute}:${second}+08:00`)
}
/** Positions that wait no longer, and whether a blind spot is why they come late. One that cannot be read is left out; the others stay. */
export function readBatch(body: Buffer): { blind: boolean; positions: Said[] } | undefined {
  if (body.length < 3) return undefined
  const positions: Said[] = []
  for (let at = 3; at + 2 <= body.length;) {
    const end = at + 2 + body.readUInt16BE(at)
    if (end > body.length) break
    const one = readPosition(body.subarray(at + 2, end))
    if (one) positions.push(one)
    at = end
  }
  return { blind: body[2] === 1, positions }
}

export function platformAnswer(serial: number, id: number, result: number): Buffer {
  const body = Buffer.alloc(5)
  body.writeUInt16BE(serial, 0)
  body.writeUInt16BE(id, 2)
  body[4] = result
  return body
}
export function registerAnswer(serial: number, result: number, code = ''): Buffer {
  const head = Buffer.alloc(3)
  head.writeUInt16BE(serial, 0)
  head[2] = result
  return Buffer.concat([head, Buffer.from(code, 'ascii')])
}

/** A terminal's word for what it was told: the number of that message, and how it went. */
export function readAnswer(body: Buffer): { serial: number; result: number } | undefined {
  return body.length < 5 ? undefined : { serial: body.readUInt16BE(0), result: body[4]! }
}
/** The camera's own word: 1 it failed, 2 there is no such channel. */
export function readShot(body: Buffer): { serial: number; result: number } | undefined {
  return body.length < 3 ? undefined : { serial: body.readUInt16BE(0), result: body[2] === 2 ? Result.unsupported : body[2]! }
}
const MEDIA_HEAD = 8
const PICTURE = 0
/** A picture with where and when it was taken. What is no picture is none. */
export function readMedia(body: Buffer): (TerminalShot & { bytes: Buffer }) | undefined {
  const position = readPosition(body.subarray(MEDIA_HEAD, MEDIA_HEAD + POSITION_BYTES))
  if (body[4] !== PICTURE || !position || body.length <= MEDIA_HEAD + POSITION_BYTES) return undefined
  const { deviceTime, lng, lat, fixed } = position
  const place = fixed && Math.abs(lng) <= 180 && Math.abs(lat) <= 90 ? { lng, lat } : { lng: null, lat: null }
  return {
    mediaId: body.readUInt32BE(0),
    event: body[6]!,
    channel: body[7]!,
    at: deviceTime,
    ...place,
    bytes: body.subarray(MEDIA_HEAD + POSITION_BYTES),
  }
}
export function mediaAnswer(mediaId: number): Buffer {
  const body = Buffer.alloc(4)
  body.writeUInt32BE(mediaId)
  return body
}

const FLAG = { urgent: 0x01, shown: 0x04, spoken: 0x08 }
const NOTICE = 1
/** 640 × 480, of middling quality, brightness and colours, sent at once. */
const SHOT = { one: 1, everyS: 0, upload: 0, resolution: 2, quality: 5, brightness: 128, contrast: 64, saturation: 64, chroma: 128 }
/** Writes an order as the body of a message. */
export function orderBody({ act, text, channel, everyS, forS, urgent, spoken }: TerminalOrder, is2019: boolean): { id: number; body: Buffer } {
  if (act === TerminalAct.text) {
    const flags = FLAG.shown | (urgent ? FLAG.urgent : 0) | (spoken ? FLAG.spoken : 0)
    return { id: Message.text, body: Buffer.concat([Buffer.from(is2019 ? [flags, NOTICE] : [flags]), inGbk(text!)!]) }
  }
  if (act === TerminalAct.track) {
    const body = Buffer.alloc(6)
    body.writeUInt16BE(everyS!, 0)
    body.writeUInt32BE(forS!, 2)
    return { id: Message.track, body }
  }
  const body = Buffer.alloc(12)
  body[0] = channel!
  body.writeUInt16BE(SHOT.one, 1)
  body.writeUInt16BE(SHOT.everyS, 3)
  body.set([SHOT.upload, SHOT.resolution, SHOT.quality, SHOT.brightness, SHOT.contrast, SHOT.saturation, SHOT.chroma], 5)
  return { id: Message.shoot, body }
}
/** The time by UTC, as 2019 has it and as terminals of before extended it. */
export function timeBody(at: Instant, is2019: boolean): Buffer {
  const digits = at.replaceAll(/\D/g, '').slice(0, 14)
  if (is2019) return Buffer.from(digits.slice(2), 'hex')
  const body = Buffer.alloc(7)
  body.writeUInt16BE(Number(digits.slice(0, 4)), 0)
  digits
    .slice(4)
    .match(/../g)!
    .forEach((two, place) => void (body[2 + place] = Number(two)))
  return body
}
/** Which parts are wanted again: of a picture by its own number, of anything else by the number of its first part. */
export function againBody({ id, serial, first, missing }: Unfinished, is2019: boolean): { id: number; body: Buffer } {
  const isPicture = id === Message.media && first !== undefined && first.length >= 4
  const head = isPicture ? first.subarray(0, 4) : words(serial)
  const count = isPicture || !is2019 ? Buffer.from([missing.length]) : words(missing.length)
  return { id: isPicture ? Message.mediaAnswer : Message.again, body: Buffer.concat([head, count, words(...missing)]) }
}
const words = (...numbers: number[]) => Buffer.from(numbers.flatMap((one) => [one >>> 8, one & 0xff]))
