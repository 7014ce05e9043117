import { noteInLog } from './consoleLog.ts'
import { choice } from '../kept.ts'

/** A toast is gone after two seconds; what it said stays here, with the number that finds it in the server's log. */
export interface Failure {
  at: Date
  text: string
  call: string
  status: number
  requestId: string
}
const FAILURES_MOST = 50
export const failures = choice<readonly Failure[]>([])

export function noteFailure(failure: Failure) {
  console.error(`${failure.call}: ${failure.text}`, { status: failure.status, requestId: failure.requestId })
  noteInLog({ level: 'error', text: failure.text, call: failure.call, requestId: failure.requestId })
  failures.set([failure, ...failures.get()].slice(0, FAILURES_MOST))
}
