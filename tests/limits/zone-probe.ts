import { fork } from 'node:child_process'
import path from 'node:path'

export interface Asked {
  method: 'GET' | 'POST'
  address: string
  body?: object
}

/**
 * The real server as a process of its own in a time zone of its own, on the database given; asks all of it and answers the texts. Each answer is what a client
 * reads, without what changes with the moment (the request's id).
 */
export async function answersIn(zone: string, env: Record<string, string>, port: number, asked: readonly Asked[], token: string): Promise<string[]> {
  const main = path.resolve(import.meta.dirname, '../../apps/server/main.ts')
  const server = fork(main, {
    env: { ...process.env, ...env, TZ: zone, PORT: String(port), MQTT_PORT: String(port === 1 ? 2 : 1), DEMO: 'none', RATE_LIMIT: '0' },
    stdio: 'pipe',
  })
  let said = ''
  server.stderr?.on('data', (bytes) => (said += String(bytes)))
  try {
    const url = `http://127.0.0.1:${port}`
    for (let tries = 0; ; tries++) {
      if (
        await fetch(`${url}/lbs/ready`).then(
          ({ ok }) => ok,
          () => false,
        )
      )
        break
      if (tries > 300 || server.exitCode !== null) throw new Error(`The server in ${zone} did not start: ${said}`)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    const answers: string[] = []
    for (const { method, address, body } of asked) {
      const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) }
      const answer = await fetch(url + address, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      answers.push(`${address} ${answer.status} ${await answer.text()}`)
    }
    return answers
  } finally {
    const gone = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGTERM')
    await gone
  }
}
