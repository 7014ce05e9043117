import { freePort } from '../../platform/server/start/port.ts'
import { spawned, until } from '../faults/child.ts'

export interface Program {
  url: string
  pid: number
  stop(): Promise<void>
}
const START_MS = 60_000

/** A program of ours in a process of its own, so that nothing of what it is attacked with counts as its own. `ready` answers when it is. */
export async function running(file: string, env: Record<string, string>, ready: string): Promise<Program> {
  const port = String(await freePort())
  const child = spawned(file, { ...env, PORT: port })
  const url = `http://127.0.0.1:${port}`
  await until(
    () =>
      fetch(url + ready).then(
        ({ ok }) => ok,
        () => false,
      ),
    START_MS,
    `${file} is ready`,
  )
  return {
    url,
    pid: child.pid!,
    async stop() {
      const gone = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await gone
    },
  }
}
/** The product on a database that is there already. */
export const productOn = async (databaseUrl: string, dataDir: string): Promise<Program> =>
  running(
    'apps/server/main.ts',
    { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, DEMO: 'none', ROLE: 'web', RATE_LIMIT: '0', MQTT_PORT: String(await freePort()) },
    '/lbs/ready',
  )
