import { useEffect, useRef } from 'react'
import { noteInLog } from './page/consoleLog.ts'
import { choice } from './kept.ts'
import { say } from './text.ts'

/** A change that the server announces: rows of a topic, by their keys. */
export interface Frame {
  topic: string
  ids: readonly string[]
}
type Ear = (frame: Frame) => void

const ears = new Set<{ topic: string; hear: Ear }>()
/** Whether the server's word comes by itself at the moment. */
export const connected = choice(false)
const FIRST_RETRY_MS = 1_000
const LAST_RETRY_MS = 30_000

let socket: WebSocket | undefined
let retry = FIRST_RETRY_MS
let timer: ReturnType<typeof setTimeout> | undefined

/**
 * One connection for the whole session; the cookies of the sign-in authenticate it, the address tells nothing. Ends with `disconnect`. `onBack` is told when it was
 * opened anew: the server ends it when somebody's rights, role or menu change, and whatever was said meanwhile was missed.
 */
export function connect(custId: string, onBack: () => void = () => {}) {
  disconnect()
  const address = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/lbs/message/innerMessage/channel/${custId}`
  let opened = 0
  const open = () => {
    const now = new WebSocket(address)
    socket = now
    now.onopen = () => {
      retry = FIRST_RETRY_MS
      connected.set(true)
      if (opened > 0) noteInLog({ level: 'note', text: say(['实时连接曾断开，已恢复', 'The live connection was lost and is back']) })
      // Changes during the gap are unknown: every follower of a topic looks again.
      for (const { topic, hear } of ears) hear({ topic, ids: [] })
      if (opened++ > 0) onBack()
    }
    now.onmessage = (event) => tellAll(frameIn(event.data))
    now.onclose = () => {
      if (socket !== now) return
      connected.set(false)
      // Not all at once: a change of rights ends everybody's.
      timer = setTimeout(open, retry * (0.75 + Math.random() / 2))
      retry = Math.min(retry * 2, LAST_RETRY_MS)
    }
  }
  open()
}
export function disconnect() {
  clearTimeout(timer)
  const last = socket
  socket = undefined
  last?.close()
  connected.set(false)
}

function frameIn(data: unknown): Frame | undefined {
  try {
    const frame = JSON.parse(String(data)) as Partial<Frame>
    return typeof frame.topic === 'string' ? { topic: frame.topic, ids: Array.isArray(frame.ids) ? frame.ids : [] } : undefined
  } catch {
    return undefined
  }
}
/** The server's word for "something may have been missed". */
const EVERYTHING = '*'
function tellAll(frame: Frame | undefined) {
  if (!frame) return
  const { topic: of } = frame
  for (const { topic, hear } of ears) if (of === EVERYTHING || topic === of || (topic.endsWith('.') && of.startsWith(topic))) hear(frame)
}

/**
 * Hears the frames of a topic while the screen is shown; `'message.'` hears every topic that begins so. No ids: the connection came back, look at everything.
 * A hidden tab hears nothing; it asks anew when it is shown.
 */
export function useFrames(topic: string | undefined, hear: Ear) {
  const latest = useRef(hear)
  latest.current = hear
  useEffect(() => {
    if (topic === undefined) return
    const ear = { topic, hear: (frame: Frame) => latest.current(frame) }
    ears.add(ear)
    return () => void ears.delete(ear)
  }, [topic])
}
