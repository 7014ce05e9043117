import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { enterprisesIn, sessionsIn, syncCatalogue } from '../../domains/identity/server/api.ts'
import { openOperationLog } from '../../domains/system/server/api.ts'
import { jt808Gateway } from '../../gateways/jt808/gateway.ts'
import { mqttGateway } from '../../gateways/mqtt/gateway.ts'
import { ocppGateway } from '../../gateways/ocpp/gateway.ts'
import { writeLetters } from '../../gateways/tcec102/letters.ts'
import { raiseVoice } from '../../gateways/tcec102/voice.ts'
import type { Config } from '../../platform/server/start/config.ts'
import { openPlainPool, openPool, reading, writing } from '../../platform/server/database.ts'
import type { House, Stop } from '../../platform/server/domain.ts'
import { listeningTasks } from '../../platform/server/events.ts'
import { startPulse } from '../../platform/server/pulse.ts'
import { startWorker } from '../../platform/server/job/jobs.ts'
import type { Log } from '../../platform/server/log.ts'
import { openHub } from '../../platform/server/realtime.ts'
import { openRecords } from '../../platform/server/record/kinds.ts'
import { openKnown } from '../../platform/server/record/known.ts'
import { openConstraints } from '../../platform/server/constraints.ts'
import { openNouns } from '../../platform/server/record/nouns.ts'
import { buildApp } from './app.ts'
import { domains } from './domains.ts'
import type { Readiness } from './health.ts'
import { housekeeping } from './housekeeping.ts'
import { whenReached } from './reached.ts'
import { SYSTEM } from '../../platform/contract/said.ts'

/** Two cores answer fastest with few connections; pipelining keeps each one busy. */
const CONNECTIONS = 12
const PLAIN_CONNECTIONS = 4

export interface Running {
  url: string
  mqttPort: number | undefined
  ocppPort: number | undefined
  jt808Port: number | undefined
  house: House
  readiness: Readiness
  app: FastifyInstance | undefined
  close(): Promise<void>
}

interface Starting {
  config: Config
  ownerUrl: string
  appUrl: string
  log: Log
  /** The wait that the server reports from its first answer on, until its starter clears it. */
  waitingFor?: Readiness['waitingFor']
}
/** The whole product on a migrated database: calls, jobs and gateways, as `config.role` says. Port 0 takes a free one. */
export async function startServer({ config, ownerUrl, appUrl, log, waitingFor = null }: Starting): Promise<Running> {
  const does = (role: Config['role']) => config.role === 'all' || config.role === role
  const pool = openPool(appUrl, CONNECTIONS)
  const plainPool = openPlainPool(appUrl, PLAIN_CONNECTIONS)
  const hub = await whenReached(() => openHub(appUrl, pool, log), log)
  const pulse = startPulse(appUrl, [pool, plainPool], () => hub.cut(), log)
  const house = houseOver({ config, log, pool, plainPool, ownerUrl, hub })
  const sessions = sessionsIn(pool)
  hub.onSignal('session', (key) => sessions.forget(key))
  const stops: Stop[] = []
  for (const domain of domains) {
    const stop = await domain.start?.(house)
    if (stop) stops.push(stop)
  }
  const letters = writeLetters()
  raiseVoice()
  openRecords(domains.flatMap(({ records = [] }) => records))
  openKnown(domains.flatMap(({ known = [] }) => known))
  openNouns(domains.flatMap(({ records = [], nouns = [] }) => [...records, ...nouns]))
  await Promise.all([whenReached(() => openConstraints(pool), log), whenReached(() => syncCatalogue(house, domains), log)])

  const readiness: Readiness = { waitingFor, demo: null }
  const tasks = [...housekeeping, ...domains.flatMap(({ tasks = [] }) => tasks), ...letters, ...listeningTasks()]
  const worker = does('worker') ? await startWorker(house, tasks, () => enterprisesIn(pool)) : undefined
  const gateway = does('gateway') ? await mqttGateway(house).start() : undefined
  const piles = does('gateway') && config.ocppPort !== undefined ? await ocppGateway(house, config.ocppPort) : undefined
  const terminals = does('gateway') && config.jt808Port !== undefined ? await jt808Gateway(house, config.jt808Port) : undefined
  const operations = openOperationLog(pool, log)
  const app = does('web')
    ? await buildApp(
        house,
        sessions,
        domains.flatMap(({ calls }) => calls),
        readiness,
        operations.note,
      )
    : undefined
  const url = app ? await app.listen({ port: config.port, host: config.host }) : ''
  return {
    url,
    mqttPort: gateway?.port,
    ocppPort: piles?.port,
    jt808Port: terminals?.port,
    house,
    readiness,
    app,
    async close() {
      await app?.close()
      await operations.close()
      await gateway?.stop()
      await piles?.stop()
      await terminals?.stop()
      await worker?.stop()
      await Promise.all(stops.map((stop) => stop()))
      pulse.stop()
      await hub.stop()
      await Promise.all([pool.end(), plainPool.end()])
    },
  }
}

function houseOver(parts: Pick<House, 'config' | 'log' | 'plainPool' | 'ownerUrl' | 'hub'> & { pool: pg.Pool }): House {
  return {
    ...parts,
    writing: (enterprise, via, work) =>
      writing(parts.pool, { enterprise, parks: null }, { userId: null, userName: SYSTEM, via, requestId: '' }, work),
    reading: (enterprise, work) => reading(parts.pool, { enterprise, parks: null }, work),
  }
}
