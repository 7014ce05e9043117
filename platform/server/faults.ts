import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'

/** A place in a transaction where something can go wrong. `what` is a statement's text, or `commit`. */
export interface Point {
  /** The call or the task that writes; '' for one that only reads. */
  via: string
  what: string
  when: 'before' | 'after'
}
/** An error is thrown, `cut` ends the connection as a dead machine does, a number is a delay in milliseconds; a promise holds all that follows up, as the death of this process would, until it rejects. */
export type Fault = Error | 'cut' | number | Promise<never>
export type Plan = (point: Point) => Fault | undefined

/** Undefined except while a test has put one in. */
export let plan: Plan | undefined

/** For tests alone, and only from within their own process: nothing that arrives from outside comes near it. */
export function planFaults(wanted: Plan | undefined): void {
  if (process.env['VITEST'] === undefined) throw new Error('Faults are planned by tests alone.')
  plan = wanted
}

/** The statement, with what the plan does to it before it is sent and after its answer has come. */
export async function faulty<T>(client: pg.ClientBase, { via, what }: Omit<Point, 'when'>, send: () => Promise<T>): Promise<T> {
  const before = plan?.({ via, what, when: 'before' })
  if (before !== undefined) await strike(client, before)
  const result = await send()
  const after = plan?.({ via, what, when: 'after' })
  if (after !== undefined) await strike(client, after)
  return result
}

async function strike(client: pg.ClientBase, fault: Fault): Promise<void> {
  if (fault instanceof Error) throw fault
  if (fault instanceof Promise) await fault
  if (fault === 'cut') cut(client)
  else if (typeof fault === 'number') await pause(fault)
}

/** The socket of a connection, which the driver has and does not tell of. */
export const socketOf = (client: pg.ClientBase): Socket => (client as unknown as { connection: { stream: Socket } }).connection.stream
/** No goodbye: whatever is under way on this connection fails. */
export const cut = (client: pg.ClientBase): void => void socketOf(client).destroy()
