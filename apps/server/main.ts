import { readConfig } from '../../platform/server/start/config.ts'
import { startEmbedded } from '../../platform/server/start/embedded.ts'
import { installJobs } from '../../platform/server/job/jobs.ts'
import { hearUncaught, hearUnheard, openLog } from '../../platform/server/log.ts'
import { migrate } from '../../platform/server/start/migrate.ts'
import { fillDemo } from './demo.ts'
import { filling } from './filling.ts'
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
  const { readiness } = running
  await filling(() => fillDemo(running, (line) => console.log(line)), { log, readiness, stopping: () => stopping })
}

/** Longer than any call may take; what still hangs then is cut off. */
const STOP_MS = 60_000

main().catch((error: Error & { code?: string; port?: number }) => {
  const taken =
    error.code === 'EADDRINUSE' && `Port ${error.port} is taken by another program: stop it, or set PORT or MQTT_PORT. 端口 ${error.port} 已被占用。`
  console.error(taken || (error.name === 'StartRefusal' ? error.message : (error.stack ?? error.message)))
  process.exit(1)
})
