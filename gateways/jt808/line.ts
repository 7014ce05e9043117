import type { Socket } from 'node:net'
import {
  authenticateTerminal,
  heardTerminal,
  hearPositions,
  registerTerminal,
  type Said,
  type TerminalSession,
} from '../../domains/fleet/server/api.ts'
import type { Instant } from '../../platform/contract/field.ts'
import type { House } from '../../platform/server/domain.ts'
import * as counted from './counters.ts'
import { type Frame, openSplitter, readFrame, writeFrame } from './frames.ts'
import { openParts } from './parts.ts'
import { Message, platformAnswer, readBatch, readCode, readPosition, readRegistration, registerAnswer, RegisterResult, Result } from './messages.ts'

/** Frames that wait behind one that is being written down; who sends faster is cut off. */
const WAITING_MAX = 1_000
/** Nothing said for so long: it is gone. Terminals say something every minute. */
const SILENT_MS = 5 * 60_000
/** Who has not signed in by then has no business here. */
const STRANGER_MS = 30_000
/** Wrong codes and numbers on one line before it ends. */
const WRONG_MAX = 5
const now = () => new Date().toISOString() as Instant
const REFUSED = {
  'other-terminal': RegisterResult.vehicleKnown,
  'no-vehicle': RegisterResult.noVehicle,
  'no-terminal': RegisterResult.noTerminal,
} as const

/** One terminal on its line: frame by frame, in the order in which they came. */
export function openLine(house: House, socket: Socket): void {
  const split = openSplitter()
  let serial = 0
  let waiting = 0
  let last = Promise.resolve()
  const talk = openTalk(house, {
    send(to, id, body) {
      if (!socket.destroyed) socket.write(writeFrame({ id, phone: to.phone, is2019: to.is2019, serial: serial++, body }))
    },
    end: () => void socket.end(),
  })
  const stranger = setTimeout(() => !talk.isKnown() && socket.destroy(), STRANGER_MS)
  socket.setTimeout(SILENT_MS, () => socket.destroy())
  socket.on('error', () => {})
  socket.on('close', () => clearTimeout(stranger))
  socket.on('data', (chunk: Buffer) => {
    for (const bytes of split(chunk)) {
      const frame = readFrame(bytes)
      if (!frame) counted.broken.inc({ reason: 'frame' })
      else if (++waiting > WAITING_MAX) return void socket.destroy()
      else last = last.then(() => talk.hear(frame)).catch(failed).finally(() => void waiting--) // prettier-ignore
    }
  })
  function failed(error: Error): void {
    house.log.warn({ err: error }, 'A vehicle terminal’s message was not written down; it sends it again.')
    socket.destroy()
  }
}

interface Way {
  send(to: Frame, id: number, body: Buffer): void
  end(): void
}
/** What is said on a line, and who says it. */
function openTalk(house: House, { send, end }: Way): { hear(frame: Frame): Promise<void>; isKnown(): boolean } {
  const parts = openParts()
  let session: TerminalSession | undefined
  let phone = ''
  let wrong = 0
  const refuseWrong = () => void (++wrong >= WRONG_MAX && end())
  function answer(frame: Frame, result: number): void {
    counted.messages.inc({ message: frame.id.toString(16).padStart(4, '0'), result: String(result) })
    send(frame, Message.platformAnswer, platformAnswer(frame.serial, frame.id, result))
  }
  return { hear, isKnown: () => session !== undefined }

  async function hear(frame: Frame): Promise<void> {
    if (frame.encrypted) return answer(frame, Result.unsupported)
    const whole = parts(frame)
    if (!whole) return answer(frame, Result.ok)
    if (whole.id === Message.register) return register(whole)
    if (whole.id === Message.authenticate) return authenticate(whole)
    // A line is one terminal's: another number on it has not signed in.
    if (!session || numberOf(whole) !== phone) {
      refuseWrong()
      return answer(whole, Result.failed)
    }
    if (whole.id === Message.answer) return
    if (whole.id === Message.logOut) session = undefined
    else return answer(whole, await write(house, session, whole))
    answer(whole, Result.ok)
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
    phone = numberOf(frame)
    await house.writing(found.enterprise, 'jt808.signed-in', (tx) => heardTerminal(tx, found.vehicleId, now()))
    answer(frame, Result.ok)
  }
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
