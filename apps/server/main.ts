import { setTimeout as pause } from 'node:timers/promises'
import { readConfig } from '../../platform/server/config.ts'
import { startEmbedded } from '../../platform/server/embedded.ts'
import { installJobs } from '../../platform/server/jobs.ts'
import { hearUncaught, hearUnheard, openLog } from '../../platform/server/log.ts'
import { migrate } from '../../platform/server/migrate.ts'
import { fillDemo } from './demo.ts'
import { STARTING } from './health.ts'
import { refuseOpenSecrets } from './secrets.ts'
import { startServer } from './server.ts'

/** `npm start` ends here: database, migrations, server, demo city, and the lines that a person needs to begin. */
async function main(): Promise<void> {
  const config = readConfig(process.env)
  const log = openLog(process.env['LOG_LEVEL'] ?? 'warn')
  hearUnheard(log)
  refuseOpenSecrets(config.dataDir)
  const database = config.databaseUrl ? undefined : await startEmbedded(config.dataDir, log)
  const ownerUrl = config.databaseUrl ?? database!.url
  const { appUrl } = await migrate(ownerUrl, log)
  await installJobs(ownerUrl)
  const running = await startServer({ config, ownerUrl, appUrl, log, waitingFor: STARTING })
  hearUncaught(log)
  process.send?.('runs') // from now on whoever started it brings it back, should it die
  let stopping = false
  const stop = async () => {
    if (stopping) return // one Ctrl-C arrives twice: from the terminal, and handed on by what started us
    stopping = true
    setTimeout(() => process.exit(1), STOP_MS).unref()
    await running.close()
    await database?.stop()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop())
  const fill = (tries: number): Promise<void> =>
    fillDemo(running, (line) => console.log(line)).catch(async (error: unknown) => {
      if (stopping) return // what a stop cuts off, the next start goes on with
      // The demo is a guest of the server: people, lanes and piles are served without it.
      if (tries === 1) {
        running.readiness.waitingFor = null
        return log.error({ err: error }, 'The demo was not filled; the next start goes on with it.')
      }
      log.warn({ err: error }, 'The demo was not filled; trying again.')
      await pause(FILL_AGAIN_MS) // the database may have been away for a moment
      return fill(tries - 1)
    })
  await fill(FILL_TRIES)
}

/** A database that goes away again and again takes a try each time. */
const FILL_TRIES = 12
const FILL_AGAIN_MS = 3_000
/** Longer than any call may take; what still hangs then is cut off. */
const STOP_MS = 60_000

main().catch((error: Error & { code?: string; port?: number }) => {
  const taken =
    error.code === 'EADDRINUSE' && `Port ${error.port} is taken by another program: stop it, or set PORT or MQTT_PORT. 端口 ${error.port} 已被占用。`
  console.error(taken || (error.name === 'StartRefusal' ? error.message : (error.stack ?? error.message)))
  process.exit(1)
})
