import type pg from 'pg'
import type { MenuEntry } from '../contract/menu.ts'
import type { Config } from './start/config.ts'
import type { Tx } from './database.ts'
import type { Task } from './job/jobs.ts'
import type { Log } from './log.ts'
import type { Hub } from './realtime.ts'
import type { Kind } from './record/kinds.ts'
import type { Source } from './record/known.ts'
import type { Noun } from './record/nouns.ts'
import type { Served } from './serve.ts'

/**
 * The parts that a domain adds to the house. `start` registers its answers and listeners; it is called once, lowest domain first.
 * The function that it returns runs when the house closes.
 */
export interface Domain {
  name: string
  calls: Served
  menu?: readonly MenuEntry[]
  tasks?: readonly Task[]
  /** Kinds of records that people follow: their histories, and what they are found by. */
  records?: readonly Kind[]
  /** Sources that find records by a plate, a phone number or a number. */
  known?: readonly Source[]
  /** The names of the rows of its other tables. */
  nouns?: readonly Noun[]
  start?(house: House): void | Stop | Promise<void | Stop>
}

export type Stop = () => Promise<void>

/** The running house, for what happens outside a call: gateways, start-up, demo data. */
export interface House {
  config: Config
  log: Log
  pool: pg.Pool
  /** COPY, cursors, LISTEN. */
  plainPool: pg.Pool
  ownerUrl: string
  hub: Hub
  /** One writing transaction of an enterprise, with all its parks; `via` is what the audit stream shows as its cause. */
  writing<T>(enterprise: number, via: string, work: (tx: Tx) => Promise<T>): Promise<T>
  reading<T>(enterprise: number, work: (tx: Tx) => Promise<T>): Promise<T>
}
