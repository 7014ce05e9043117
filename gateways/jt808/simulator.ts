import { connect, type Socket } from 'node:net'
import type { Instant } from '../../platform/contract/field.ts'
import { cityTime } from '../../platform/contract/time.ts'
import { inGbk } from '../../platform/server/text/gbk.ts'
import { type Frame, openSplitter, readFrame, writeFrame } from './frames.ts'
import { Message } from './messages.ts'

/** Where a simulated car is. */
export interface Spot {
  at: Instant
  lng: number
  lat: number
  /** Tenths of km/h. */
  speed: number
  heading: number
  acc?: boolean
  mileageM?: number
  alarmBits?: number
  fixed?: boolean
}
export interface SimulatedTerminal {
  /** Sends a message and waits for what it is answered with. */
  says(id: number, body: Buffer): Promise<Frame>
  /** Bytes as they are, whole frames or not. */
  raw(bytes: Buffer): void
  /** Registers and signs in. Answers the code, or the result of a refusal. */
  signIn(car: string): Promise<string | number>
  drives(spot: Spot): Promise<Frame>
  /** Several at once; `blind` says that there was no network meanwhile. */
  catchesUp(spots: readonly Spot[], blind: boolean): Promise<Frame>
  /** Messages that it received, with the texts on its display. */
  told: { id: number; serial: number; body: Buffer; text?: string }[]
  manners: TerminalManners
  /** Sends a picture by itself: 1 by its clock, 2 by its button. */
  sendsPicture(mediaId: number, event: number, picture: Buffer, spot: Spot): Promise<Frame>
  closed: Promise<void>
  close(): void
}
/** How it behaves when it is told something; by itself it obeys, and has no camera. */
export interface TerminalManners {
  result?: number
  deaf?: boolean
  /** The picture that its camera takes. */
  picture?: Buffer
  /** It agrees, and its camera takes nothing. */
  blind?: boolean
  /** These parts of its next long message are lost on the way. */
  loses?: number[]
}
const ANSWER_MS = 10_000
const BODY_MAX = 1_000

interface From {
  port: number
  host?: string
  phone: string
  is2019?: boolean
  terminalId?: string
}

/** A terminal as vehicles carry them, for tests and the city. */
export async function simulateTerminal(from: From): Promise<SimulatedTerminal> {
  const { port, host = '127.0.0.1', phone, is2019 = false, terminalId = 'KB00001' } = from
  const socket: Socket = connect({ port, host })
  await new Promise<void>((resolve, reject) => void socket.once('connect', resolve).once('error', reject))
  const waiting = new Map<number, (frame: Frame) => void>()
  const split = openSplitter()
  let serial = 0
  let here: Spot = { at: new Date().toISOString() as Instant, lng: 0, lat: 0, speed: 0, heading: 0, fixed: false }
  const sent = openSent()
  const write = (id: number, body: Buffer) => {
    const frames = framesOf({ id, phone, is2019, serial, body })
    const lost = camera.manners.loses ?? []
    delete camera.manners.loses
    frames.forEach((frame, at) => lost.includes(at + 1) || socket.write(frame))
    if (frames.length > 1) sent.keep({ id, serial, body, frames })
    serial = (serial + frames.length) & 0xffff
  }
  const camera: ReturnType<typeof openCamera> = openCamera({ write, is2019, here: () => here })
  socket.on('error', () => {})
  socket.on('data', (chunk: Buffer) => {
    for (const bytes of split(chunk)) {
      const frame = readFrame(bytes)
      if (!frame) continue
      for (const again of sent.wanted(frame, is2019)) socket.write(again)
      if (frame.id === Message.time || frame.id === Message.time2013) waiting.values().next().value?.(frame)
      else if (!camera.hears(frame) && frame.body.length >= 2) waiting.get(frame.body.readUInt16BE(0))?.(frame)
    }
  })
  const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()))
  const says: SimulatedTerminal['says'] = (id, body) => {
    const mine = serial++ & 0xffff
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`No answer to ${id.toString(16)}.`)), ANSWER_MS)
      waiting.set(mine, (frame) => {
        clearTimeout(late)
        waiting.delete(mine)
        resolve(frame)
      })
      socket.write(writeFrame({ id, phone, is2019, serial: mine, body }))
    })
  }
  return {
    says,
    raw: (bytes) => void socket.write(bytes),
    async signIn(car) {
      const { body } = await says(Message.register, registration(car, terminalId, is2019))
      if (body[2] !== 0) return body[2]!
      const code = body.toString('ascii', 3)
      const { body: said } = await says(Message.authenticate, codeBody(code, is2019))
      return said[4] === 0 ? code : said[4]!
    },
    drives: (spot) => says(Message.position, positionBody((here = spot))),
    catchesUp: (spots, blind) => says(Message.batch, batchBody(spots, blind)),
    told: camera.told,
    manners: camera.manners,
    sendsPicture: camera.sendsPicture,
    closed,
    close: () => void socket.destroy(),
  }
}

function batchBody(spots: readonly Spot[], blind: boolean): Buffer {
  const head = Buffer.alloc(3)
  head.writeUInt16BE(spots.length, 0)
  head[2] = blind ? 1 : 0
  const items = spots.flatMap((spot) => {
    const body = positionBody(spot)
    const length = Buffer.alloc(2)
    length.writeUInt16BE(body.length)
    return [length, body]
  })
  return Buffer.concat([head, ...items])
}

/** In as many parts as it takes, each with the next number. */
function framesOf({ body, serial, ...of }: { id: number; phone: string; is2019: boolean; serial: number; body: Buffer }): Buffer[] {
  const total = Math.max(1, Math.ceil(body.length / BODY_MAX))
  return Array.from({ length: total }, (_, at) =>
    writeFrame({
      ...of,
      serial: (serial + at) & 0xffff,
      body: body.subarray(at * BODY_MAX, (at + 1) * BODY_MAX),
      ...(total > 1 && { part: { total, number: at + 1 } }),
    }),
  )
}
interface Sent {
  id: number
  serial: number
  body: Buffer
  frames: Buffer[]
}
/** The messages that it sent in parts: parts that are asked for again go out as they were. */
function openSent() {
  const all: Sent[] = []
  const partsOf = ({ frames }: Sent, body: Buffer, at: number) =>
    Array.from({ length: (body.length - at) / 2 }, (_, n) => frames[body.readUInt16BE(at + 2 * n) - 1]!)
  function wanted({ id, body }: Frame, is2019: boolean): Buffer[] {
    if (id === Message.mediaAnswer && body.length > 5) {
      const of = all.findLast((one) => one.id === Message.media && one.body.subarray(0, 4).equals(body.subarray(0, 4)))
      return of ? partsOf(of, body, 5) : []
    }
    if (id !== Message.again) return []
    const of = all.findLast(({ serial }) => serial === body.readUInt16BE(0))
    return of ? partsOf(of, body, is2019 ? 4 : 3) : []
  }
  return { keep: (one: Sent) => void all.push(one), wanted }
}

/** Answers orders: it shows texts, and its camera takes pictures. */
function openCamera({ write, is2019, here }: { write(id: number, body: Buffer): void; is2019: boolean; here(): Spot }) {
  const pictures = new Map<number, (frame: Frame) => void>()
  const told: SimulatedTerminal['told'] = []
  const manners: TerminalManners = {}
  let mediaId = 0
  const sendsPicture: SimulatedTerminal['sendsPicture'] = (mine, event, picture, spot) =>
    new Promise((resolve) => {
      pictures.set(mine, resolve)
      const head = Buffer.alloc(8)
      head.writeUInt32BE(mine)
      head.set([0, 0, event, 1], 4)
      write(Message.media, Buffer.concat([head, positionBody(spot).subarray(0, 28), picture]))
    })
  function obey({ id, body, serial: of }: Frame): void {
    told.push({
      id,
      serial: of,
      body: Buffer.from(body),
      ...(id === Message.text && { text: new TextDecoder('gbk').decode(body.subarray(is2019 ? 2 : 1)) }),
    })
    if (manners.deaf) return
    const { result = 0, picture, blind } = manners
    const answer = Buffer.alloc(5)
    answer.writeUInt16BE(of, 0)
    if (id !== Message.shoot) {
      answer.writeUInt16BE(id, 2)
      answer[4] = result
      return write(Message.answer, answer)
    }
    // A camera that is not there is no channel of it.
    answer[2] = result || (picture || blind ? 0 : 2)
    write(Message.shot, answer)
    if (answer[2] === 0 && picture) void sendsPicture(++mediaId, 0, picture, here())
  }
  function hears(frame: Frame): boolean {
    const isOrder = frame.id === Message.text || frame.id === Message.shoot || frame.id === Message.track
    if (isOrder) obey(frame)
    else if (frame.id === Message.mediaAnswer && frame.body.length === 4) pictures.get(frame.body.readUInt32BE(0))?.(frame)
    return isOrder || frame.id === Message.mediaAnswer || frame.id === Message.again
  }
  return { told, manners, sendsPicture, hears }
}

const padded = (text: string, bytes: number) => Buffer.concat([Buffer.from(text, 'latin1'), Buffer.alloc(bytes)]).subarray(0, bytes)
export function registration(car: string, terminalId: string, is2019: boolean): Buffer {
  const [maker, model, terminal] = is2019 ? [11, 30, 30] : [5, 20, 7]
  return Buffer.concat([
    Buffer.from([0, 42, 0, 6]),
    padded('KERB', maker),
    padded('KB-1', model),
    padded(terminalId, terminal),
    Buffer.from([1]),
    inGbk(car)!,
  ])
}
export const codeBody = (code: string, is2019: boolean): Buffer =>
  is2019 ? Buffer.concat([Buffer.from([code.length]), Buffer.from(code, 'ascii'), Buffer.alloc(35)]) : Buffer.from(code, 'ascii')

const MICRO = 1_000_000
export function positionBody({ at, lng, lat, speed, heading, acc = true, mileageM, alarmBits = 0, fixed = true }: Spot): Buffer {
  const body = Buffer.alloc(28)
  body.writeUInt32BE(alarmBits, 0)
  body.writeUInt32BE((acc ? 1 : 0) | (fixed ? 2 : 0) | (lat < 0 ? 4 : 0) | (lng < 0 ? 8 : 0), 4)
  body.writeUInt32BE(Math.round(Math.abs(lat) * MICRO), 8)
  body.writeUInt32BE(Math.round(Math.abs(lng) * MICRO), 12)
  body.writeUInt16BE(speed, 18)
  body.writeUInt16BE(heading, 20)
  body.write(cityTime(at).replaceAll(/\D/g, '').slice(2), 22, 'hex')
  if (mileageM === undefined) return body
  const item = Buffer.from([0x01, 4, 0, 0, 0, 0])
  item.writeUInt32BE(Math.round(mileageM / 100), 2)
  return Buffer.concat([body, item])
}
