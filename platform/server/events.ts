import type { Instant } from '../contract/field.ts'
import type { Tx } from './database.ts'
import { addJob, type Task, task } from './job/jobs.ts'

export interface Event<Data> {
  name: string
  '~data'?: Data
}
export const event = <Data>(name: string): Event<Data> => ({ name })

/** Whether an event concerns a listener. Asked in the transaction that announces it, with its scope: at most one read by an index, in place of a job that would find nothing to do. */
type When<Data> = (data: Data, tx: Tx) => boolean | Promise<boolean>
interface Listener {
  task: Task
  when: When<any>
}
const listeners = new Map<string, Listener[]>()

/**
 * Adds a listener to an event; each listener is a job of its own, so that a failing one does not delay the others. `by` names the
 * listener: `member.seat`. Where `when` returns false no job is added.
 */
export function on<Data>(
  of: Event<Data>,
  by: string,
  hear: (context: { tx: Tx; data: Data; at: Instant }) => Promise<void>,
  { when = () => true }: { when?: When<Data> } = {},
): void {
  const name = `${of.name}>${by}`
  const of_ = listeners.get(of.name) ?? []
  listeners.set(of.name, [...of_.filter(({ task: one }) => one.name !== name), { task: task<Data>(name, hear), when }])
}

/** Written with the change itself: it is heard if and only if the transaction commits, in the enterprise of the transaction or in the one that is named. */
export const announce = async <Data>(tx: Tx, of: Event<Data>, data: Data, to: { enterprise?: number } = {}): Promise<void> => {
  await Promise.all(
    (listeners.get(of.name) ?? []).map(async ({ task: one, when }) => {
      if (await when(data, tx)) await addJob(tx, one, data, to)
    }),
  )
}

export const listeningTasks = (): Task[] => [...listeners.values()].flat().map((listener) => listener.task)
