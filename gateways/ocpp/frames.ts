import { plainJson } from '../../platform/contract/said.ts'
import { isKeepable } from '../../platform/server/text/keepable.ts'

/** A text, by the protocol; of some piles a number, and then its answer has that number. */
export type MessageId = string | number

/** The framing that both versions of OCPP share: a call, its result, or its error, each a JSON array. */
export type Frame =
  | { kind: 'call'; id: MessageId; action: string; payload: unknown }
  | { kind: 'result'; id: string; payload: unknown }
  | { kind: 'error'; id: string; code: string; description: string }

export type Version = '1.6' | '2.0.1'
/** Faults of a message, before they get either version's own word. */
export type Wrong = 'unknownAction' | 'unsupported' | 'internal' | 'frame' | 'form' | 'value' | 'missing' | 'type' | 'security' | 'messageType'

/** The older version's spelling is part of its protocol. */
const CODES: Record<Wrong, readonly [v16: string, v201: string]> = {
  unknownAction: ['NotImplemented', 'NotImplemented'],
  unsupported: ['NotSupported', 'NotSupported'],
  internal: ['InternalError', 'InternalError'],
  frame: ['GenericError', 'RpcFrameworkError'],
  form: ['FormationViolation', 'FormatViolation'],
  value: ['PropertyConstraintViolation', 'PropertyConstraintViolation'],
  missing: ['OccurenceConstraintViolation', 'OccurrenceConstraintViolation'],
  type: ['TypeConstraintViolation', 'TypeConstraintViolation'],
  security: ['SecurityError', 'SecurityError'],
  messageType: ['GenericError', 'MessageTypeNotSupported'],
}
export const codeOf = (wrong: Wrong, version: Version): string => CODES[wrong][version === '1.6' ? 0 : 1]

const CALL = 2
const RESULT = 3
const ERROR = 4
const ID_MAX = 36
const DESCRIPTION_MAX = 255
/** A longer message is answered with an error and not read; the longest honest ones are reports of a whole configuration. */
export const TEXT_MAX = 128 * 1024
/** In place of an id that cannot be read. */
const NO_ID = '-1'

export interface Unreadable {
  wrong: Wrong
  id: MessageId
  en: string
  /** It was to answer a call of ours: nobody expects an answer to it. */
  answers?: boolean
}
/** Where a message of these is refused, a pile says it again for ever, and everything behind it waits: what cannot be kept of their texts is left out. */
const REPEATED: ReadonlySet<unknown> = new Set(['StartTransaction', 'StopTransaction', 'MeterValues', 'TransactionEvent'])
const kept = (_: string, value: unknown) => (typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value)

function withoutEnd(text: string): string {
  let end = text.length
  while (text.charCodeAt(end - 1) === 0) end--
  return text.slice(0, end)
}

/** A message, or why it is none. Never throws. */
export function readFrame(text: string): Frame | Unreadable {
  const no = (wrong: Wrong, en: string): Unreadable => ({ wrong, id: idIn(text), en, ...(ANSWERS.test(text) && { answers: true }) })
  if (text.length > TEXT_MAX) return no('form', `a message holds at most ${TEXT_MAX} characters`)
  let parts: unknown
  try {
    // Some end a text as C does.
    parts = JSON.parse(withoutEnd(text))
  } catch {
    return no('frame', 'the text is not JSON')
  }
  if (!Array.isArray(parts) || typeof parts[0] !== 'number') return no('frame', 'an array that begins with the type of the message is expected')
  if (!isKeepable(parts)) {
    if (parts[0] !== CALL || !REPEATED.has(parts[2])) return no('form', 'it holds a character that cannot be kept')
    parts = JSON.parse(JSON.stringify(parts), kept)
  }
  const [type, id, third, fourth] = parts as unknown[]
  if ((typeof id !== 'string' && typeof id !== 'number') || id === '' || String(id).length > ID_MAX)
    return no('frame', `the id of a message is a text of at most ${ID_MAX} characters`)
  if (type === CALL) {
    if ((parts as unknown[]).length !== 4 || typeof third !== 'string' || third.length > 64)
      return no('form', 'a call has an id, an action and a payload')
    return { kind: 'call', id, action: third, payload: fourth }
  }
  if (type === RESULT) return { kind: 'result', id: String(id), payload: third }
  if (type === ERROR) return { kind: 'error', id: String(id), code: String(third ?? ''), description: String(fourth ?? '').slice(0, DESCRIPTION_MAX) }
  return no('messageType', 'the type of a message is 2, 3 or 4')
}
/** The id of a text that is no message, so that its sender learns which one it was. */
function idIn(text: string): MessageId {
  const [, named, numbered] = /^\s*\[\s*\d\s*,\s*(?:"([^"\\]{1,36})"|(\d{1,15})\s*[,\]])/.exec(text.slice(0, 80)) ?? []
  return named ?? (numbered === undefined ? NO_ID : Number(numbered))
}
const ANSWERS = /^\s*\[\s*[34]\s*,/

export const callText = (id: string, action: string, payload: unknown) => plainJson([CALL, id, action, payload])
export const resultText = (id: MessageId, payload: unknown) => `[${RESULT},${JSON.stringify(id)},${plainJson(payload)}]`
export const errorText = (id: MessageId, code: string, en: string) => JSON.stringify([ERROR, id, code, en.slice(0, DESCRIPTION_MAX), {}])
