import { connect, type Socket } from 'node:net'
import type { Instant } from '../../platform/contract/field.ts'
import { cityTime } from '../../platform/contract/time.ts'
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
  closed: Promise<void>
  close(): void
}
const ANSWER_MS = 10_000

/** A terminal as vehicles carry them, for tests and the city. */
export async function simulateTerminal({ port, host = '127.0.0.1', phone, is2019 = false, terminalId = 'KB00001' }: { port: number; host?: string; phone: string; is2019?: boolean; terminalId?: string }): Promise<SimulatedTerminal> {
  const socket: Socket = connect({ port, host })
  await new Promise<void>((resolve, reject) => void socket.once('connect', resolve).once('error', reject))
  const waiting = new Map<number, (frame: Frame) => void>()
  const split = openSplitter()
  let serial = 0
  socket.on('error', () => {})
  socket.on('data', (chunk: Buffer) => {
    for (const bytes of split(chunk)) {
      const frame = readFrame(bytes)
      if (frame && frame.body.length >= 2) waiting.get(frame.body.readUInt16BE(0))?.(frame)
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
    drives: (spot) => says(Message.position, positionBody(spot)),
    catchesUp(spots, blind) {
      const head = Buffer.alloc(3)
      head.writeUInt16BE(spots.length, 0)
      head[2] = blind ? 1 : 0
      const items = spots.flatMap((spot) => {
        const body = positionBody(spot)
        const length = Buffer.alloc(2)
        length.writeUInt16BE(body.length)
        return [length, body]
      })
      return says(Message.batch, Buffer.concat([head, ...items]))
    },
    closed,
    close: () => void socket.destroy(),
  }
} // prettier-ignore

const padded = (text: string, bytes: number) => Buffer.concat([Buffer.from(text, 'latin1'), Buffer.alloc(bytes)]).subarray(0, bytes)
export function registration(car: string, terminalId: string, is2019: boolean): Buffer {
  const [maker, model, terminal] = is2019 ? [11, 30, 30] : [5, 20, 7]
  return Buffer.concat([Buffer.from([0, 42, 0, 6]), padded('KERB', maker), padded('KB-1', model), padded(terminalId, terminal), Buffer.from([1]), inGbk(car)])
} // prettier-ignore
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

let table: Map<string, Buffer> | undefined
/** Plates are Chinese in GBK, which Node reads and does not write. */
function inGbk(text: string): Buffer {
  table ??= gbkTable()
  return Buffer.concat([...text].map((sign) => table!.get(sign) ?? Buffer.from(sign, 'latin1')))
}
function gbkTable(): Map<string, Buffer> {
  const decoder = new TextDecoder('gbk')
  const made = new Map<string, Buffer>()
  for (let first = 0x81; first <= 0xfe; first++)
    for (let second = 0x40; second <= 0xfe; second++) made.set(decoder.decode(Buffer.from([first, second])), Buffer.from([first, second]))
  return made
}
