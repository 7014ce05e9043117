import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { freePort } from '../platform/server/start/port.ts'
import { PORTS } from './child.ts'

/*
 * Parts that need no database run to their end here, and a part whose process ends by itself ends. Running every part with little
 * to do takes minutes and is a command of its own: `npm run bench -- --small`.
 */

const DATA_DIR = mkdtempSync(path.join(tmpdir(), 'kerbline-bench-'))
afterAll(() => rmSync(DATA_DIR, { recursive: true, force: true }))
const MOST_MS = 600_000

async function bench(port: number, ...parts: string[]) {
  const args = [path.join(import.meta.dirname, 'main.ts'), '--small', `--port=${port}`, ...parts]
  const child = spawn(process.execPath, args, { env: { ...process.env, DATA_DIR }, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { out, errors, code }
}
const free = () => freePort(PORTS.floor)

test('what is worked out without a database', { timeout: MOST_MS }, async () => {
  const { out, code } = await bench(await free(), 'fee', 'coupons')
  expect(out).toMatch(/fee: two-band stay[^]*coupons: the best of 30/)
  expect(code).toBe(0)
})

test('whoever listens where a floor would: the part ends and says so', { timeout: MOST_MS }, async () => {
  const port = await free()
  const other = net.createServer().listen(port + PORTS.floor, '127.0.0.1')
  try {
    const { errors, code } = await bench(port, 'ocpp')
    expect(errors).toContain(`The floor at port ${port + PORTS.floor} ended before its part did (exit code 1).`)
    expect(code).toBe(1)
  } finally {
    other.close()
  }
})
