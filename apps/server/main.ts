import { readConfig } from '../../platform/server/config.ts'
import { startEmbedded } from '../../platform/server/embedded.ts'
import { installJobs } from '../../platform/server/jobs.ts'
import { openLog } from '../../platform/server/log.ts'
import { migrate } from '../../platform/server/migrate.ts'
import { fillDemo } from './demo.ts'
import { startServer } from './server.ts'

/** `npm start` ends here: database, migrations, server, demo city, and the lines that a person needs to begin. */
async function main(): Promise<void> {
  const config = readConfig(process.env)
  const log = openLog(process.env['LOG_LEVEL'] ?? 'warn')
  const database = config.databaseUrl ? undefined : await startEmbedded(config.dataDir, log)
  const ownerUrl = config.databaseUrl ?? database!.url
  const { appUrl } = await migrate(ownerUrl, log)
  await installJobs(ownerUrl)
  const running = await startServer({ config, ownerUrl, appUrl, log })
  const stop = async () => {
    await running.close()
    await database?.stop()
    process.exit(0)
  }
  process.once('SIGINT', () => void stop())
  process.once('SIGTERM', () => void stop())
  await fillDemo(running, (line) => console.log(line))
}

main().catch((error: Error) => {
  console.error(error.name === 'StartRefusal' ? error.message : (error.stack ?? error.message))
  process.exit(1)
})
