import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * Ports of a server of the bench, counted from its port; 2 to 5 belong to a demo's services (DEMO_PORTS). `floor`: the bare server
 * that is measured beside ours.
 */
export const PORTS = { mqtt: 1, ocpp: 6, jt808: 7, floor: 8 } as const
const READY_MS = 300_000
const LOOK_MS = 250

/** Processes that the running part has started and not ended. */
const living = new Set<ChildProcess>()
process.once('exit', () => living.forEach((child) => child.kill()))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
let tell: (gone: Error) => void = () => undefined

/** Does `part`; a process of it that ends by itself ends it too, and says which. What it leaves running is ended. */
export async function withChildren<T>(part: () => Promise<T>): Promise<T> {
  const gone = new Promise<never>((_, reject) => (tell = reject))
  try {
    return await Promise.race([part(), gone])
  } finally {
    await Promise.all([...living].map((child) => end(child)))
  }
}

/** One that belongs to the part under way. */
export function own(name: string, child: ChildProcess): ChildProcess {
  living.add(child)
  const gone = (how: string) => living.delete(child) && tell(new Error(`${name} ended before its part did (${how}).`))
  child.once('error', ({ message }) => gone(message)).once('exit', (code, signal) => gone(signal ?? `exit code ${code}`))
  return child
}
export async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  living.delete(child)
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  child.kill(signal)
  await once(child, 'exit')
}

/** The real server in a process of its own, once it is ready. */
export async function startServer(ownerUrl: string, dataDir: string, port: number, differs: Record<string, string>): Promise<ChildProcess> {
  const ports = { PORT: port, MQTT_PORT: port + PORTS.mqtt, OCPP_PORT: port + PORTS.ocpp, JT808_PORT: port + PORTS.jt808 }
  const said = Object.fromEntries(Object.entries(ports).map(([name, at]) => [name, String(at)]))
  const env = { ...process.env, ...said, DATABASE_URL: ownerUrl, DATA_DIR: dataDir, RATE_LIMIT: '0', ...differs }
  const file = path.resolve(import.meta.dirname, '../apps/server/main.ts')
  const server = own(`The server at port ${port}`, spawn(process.execPath, [file], { env, stdio: ['ignore', 'ignore', 'inherit'] }))
  for (const until = performance.now() + READY_MS; performance.now() < until; await pause(LOOK_MS))
    if ((await fetch(`http://127.0.0.1:${port}/lbs/ready`).catch(() => undefined))?.ok) return server
  throw new Error(`The server did not become ready within ${READY_MS / 60_000} minutes.`)
}

/** Starts the server that ours is compared with, in a process of its own, and waits until it listens. */
export async function startFloor(file: string, args: readonly string[], port: number): Promise<ChildProcess> {
  const floor = spawn(process.execPath, [path.join(import.meta.dirname, file), String(port), ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  own(`The floor at port ${port}`, floor)
  await once(floor.stdout, 'data')
  return floor
}
