import type { Socket } from 'node:net'
import {
  authenticateTerminal,
  claimOrders,
  heardTerminal,
  hearPositions,
  keepShot,
  orderAnswered,
  registerTerminal,
  type Said,
  type TerminalSession,
} from '../../domains/fleet/server/api.ts'
import { keepPicture } from '../../domains/system/server/api.ts'
import type { Instant } from '../../platform/contract/field.ts'
import type { House } from '../../platform/server/domain.ts'
import * as counted from './counters.ts'
import { type Frame, openSplitter, readFrame, writeFrame } from './frames.ts'
import { openParts } from './parts.ts'
import {
  againBody,
  mediaAnswer,
  Message,
  orderBody,
  platformAnswer,
  readAnswer,
  readBatch,
  readCode,
  readMedia,
  readPosition,
  readRegistration,
  readShot,
  registerAnswer,
  RegisterResult,
  Result,
  timeBody,
} from './messages.ts'

/** Frames that wait behind one that is being written down; who sends faster is cut off. */
const WAITING_MAX = 1_000
/** Nothing said for so long: it is gone. Terminals say something every minute. */
const SILENT_MS = 5 * 60_000
/** The time in which a terminal has to sign in, in milliseconds; then its line is closed. */
const STRANGER_MS = 30_000
/** Wrong codes and numbers on one line before it ends. */
const WRONG_MAX = 5
const now = () => new Date().toISOString() as Instant
const REFUSED = {
  'other-terminal': RegisterResult.vehicleKnown,
  'no-vehicle': RegisterResult.noVehicle,
  'no-terminal': RegisterResult.noTerminal,
} as const

/** Orders whose answers may still come, on one line. */
const ASKED_MAX = 100
/** Lines of terminals that have signed in here, by their vehicle: how each is told that something waits for it. The newer one of two is the terminal. */
export type Lines = Map<string, () => void>

/** One terminal on its line: frame by frame, in the order in which they came. */
export function openLine(house: House, socket: Socket, lines: Lines): void {
  const split = openSplitter()
  let serial = 0
  let waiting = 0
  let last = Promise.resolve()
  const talk = openTalk(house, {
    send(to, id, body) {
      const mine = serial++ & 0xffff
      if (!socket.destroyed) socket.write(writeFrame({ id, phone: to.phone, is2019: to.is2019, serial: mine, body }))
      return mine
    },
    end: () => void socket.end(),
    came(vehicleId) {
      leave()
      mine = vehicleId
      lines.set(vehicleId, wake)
    },
  })
  let mine = ''
  const wake = () => void (last = last.then(talk.tell).catch(failed))
  const leave = () => lines.get(mine) === wake && lines.delete(mine)
  const stranger = setTimeout(() => !talk.isKnown() && socket.destroy(), STRANGER_MS)
  socket.setTimeout(SILENT_MS, () => socket.destroy())
  socket.on('error', () => {})
  socket.on('close', () => {
    clearTimeout(stranger)
    leave()
  })
  socket.on('data', (chunk: Buffer) => {
    for (const bytes of split(chunk)) {
      const frame = readFrame(bytes)
      if (!frame) counted.broken.inc({ reason: 'frame' })
      else if (++waiting > WAITING_MAX) return void socket.destroy()
      else
        last = last
          .then(() => talk.hear(frame))
          .catch(failed)
          .finally(() => void waiting--)
    }
  })
  function failed(error: Error): void {
    house.log.warn({ err: error }, 'A vehicle terminal’s message was not written down; it sends it again.')
    socket.destroy()
  }
}

interface Way {
  /** Answers the number of the message. */
  send(to: Frame, id: number, body: Buffer): number
  end(): void
  /** It has signed in, as the terminal of this vehicle. */
  came(vehicleId: string): void
}
/** Handles the messages of one line, and knows which terminal speaks on it. */
function openTalk(house: House, { send, end, came }: Way): { hear(frame: Frame): Promise<void>; tell(): Promise<void>; isKnown(): boolean } {
  const parts = openParts()
  const orders = openOrders(house, send)
  let session: TerminalSession | undefined
  let peer: Frame | undefined
  let phone = ''
  let wrong = 0
  const refuseWrong = () => void (++wrong >= WRONG_MAX && end())
  function answer(frame: Frame, result: number): void {
    counted.messages.inc({ message: frame.id.toString(16).padStart(4, '0'), result: String(result) })
    send(frame, Message.platformAnswer, platformAnswer(frame.serial, frame.id, result))
  }
  return { hear, tell, isKnown: () => session !== undefined }

  async function hear(frame: Frame): Promise<void> {
    if (frame.encrypted) return answer(frame, Result.unsupported)
    if (frame.id === Message.register) return register(frame)
    if (frame.id === Message.authenticate) return authenticate(frame)
    // A line is one terminal's: another number on it has not signed in, and nothing of it is kept until the rest comes.
    if (!session || numberOf(frame) !== phone) {
      refuseWrong()
      return answer(frame, Result.failed)
    }
    const whole = parts.whole(frame)
    askAgain(parts, frame, send)
    if (!whole) return answer(frame, Result.ok)
    if (whole.id === Message.whatTime || whole.id === Message.whatTime2013) return tellTime(whole, send)
    if (whole.id === Message.answer) return orders.answered(session, readAnswer(whole.body))
    if (whole.id === Message.media) return takePicture(session, whole)
    if (whole.id === Message.shot) await orders.answered(session, readShot(whole.body))
    else if (whole.id === Message.logOut) session = undefined
    else return answer(whole, await write(house, session, whole))
    answer(whole, Result.ok)
  }
  async function tell(): Promise<void> {
    if (session && peer) await orders.tell(session, peer)
  }
  async function takePicture(of: TerminalSession, frame: Frame): Promise<void> {
    const mediaId = await keepPictureOf(house, of, frame)
    if (mediaId === undefined) return answer(frame, Result.wrong)
    counted.messages.inc({ message: '0801', result: String(Result.ok) })
    send(frame, Message.mediaAnswer, mediaAnswer(mediaId))
  }
  async function register(frame: Frame): Promise<void> {
    const said = readRegistration(frame.body, frame.is2019)
    if (!said) return answer(frame, Result.wrong)
    const made = await registerTerminal(house, { deviceNo: numberOf(frame), ...said }, now())
    const result = 'code' in made ? RegisterResult.ok : REFUSED[made.refused]
    counted.messages.inc({ message: '0100', result: String(result) })
    send(frame, Message.registered, registerAnswer(frame.serial, result, 'code' in made ? made.code : ''))
    if (!('code' in made)) refuseWrong()
  }
  async function authenticate(frame: Frame): Promise<void> {
    const code = readCode(frame.body, frame.is2019)
    const found = code ? await authenticateTerminal(house.pool, numberOf(frame), code) : undefined
    if (!found) {
      refuseWrong()
      return answer(frame, Result.failed)
    }
    session = found
    peer = frame
    phone = numberOf(frame)
    came(found.vehicleId)
    await house.writing(found.enterprise, 'jt808.signed-in', (tx) => heardTerminal(tx, found.vehicleId, now()))
    answer(frame, Result.ok)
    await tell()
  }
}
/** Asks again for parts that were lost on the way. */
function askAgain(parts: ReturnType<typeof openParts>, to: Frame, send: Way['send']): void {
  for (const one of parts.unfinished()) {
    const { id, body } = againBody(one, to.is2019)
    send(to, id, body)
  }
}
function tellTime(frame: Frame, send: Way['send']): void {
  const is2019 = frame.id === Message.whatTime
  counted.messages.inc({ message: frame.id.toString(16).padStart(4, '0'), result: String(Result.ok) })
  send(frame, is2019 ? Message.time : Message.time2013, timeBody(now(), is2019))
}
/** Sends the orders that wait for a terminal; its answers find their orders by the number of the message. */
function openOrders(house: House, send: Way['send']) {
  const asked = new Map<number, string>()
  return {
    async tell({ enterprise, vehicleId }: TerminalSession, peer: Frame): Promise<void> {
      for (const order of await house.writing(enterprise, 'jt808.order', (tx) => claimOrders(tx, vehicleId, now()))) {
        const { id, body } = orderBody(order, peer.is2019)
        if (asked.size >= ASKED_MAX) asked.clear()
        asked.set(send(peer, id, body), order.id)
      }
    },
    async answered({ enterprise }: TerminalSession, said: { serial: number; result: number } | undefined): Promise<void> {
      const id = said && asked.get(said.serial)
      if (id) await house.writing(enterprise, 'jt808.answer', (tx) => orderAnswered(tx, id, said.result, now()))
    },
  }
}
/** Answers its number; undefined where it is no picture. */
async function keepPictureOf(house: House, { enterprise, vehicleId }: TerminalSession, frame: Frame): Promise<number | undefined> {
  const shot = readMedia(frame.body)
  const kept = shot && (await keepPicture(shot.bytes).catch(() => undefined))
  if (!kept) return undefined
  await house.writing(enterprise, 'jt808.picture', (tx) => keepShot(tx, { vehicleId, deviceNo: numberOf(frame) }, shot, kept, now()))
  return shot.mediaId
}
const numberOf = ({ phone }: Frame) => phone.replace(/^0+/, '')

/** Writes down what a terminal that has signed in says; answers how that went. */
async function write(house: House, { enterprise, vehicleId }: TerminalSession, frame: Frame): Promise<number> {
  const keep = (positions: readonly Said[], blind: boolean) =>
    house.writing(enterprise, 'jt808.position', (tx) => hearPositions(tx, vehicleId, positions, { blind, at: now() }))
  if (frame.id === Message.heartbeat) await house.writing(enterprise, 'jt808.heartbeat', (tx) => heardTerminal(tx, vehicleId, now()))
  else if (frame.id === Message.position) {
    const one = readPosition(frame.body)
    if (!one) return Result.wrong
    await keep([one], false)
  } else if (frame.id === Message.batch) {
    const batch = readBatch(frame.body)
    if (!batch) return Result.wrong
    await keep(batch.positions, batch.blind)
  } else return Result.unsupported
  return Result.ok
}
