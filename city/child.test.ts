import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { freePort } from '../platform/server/start/port.ts'
import { answersAt, orWithout } from './child.ts'
import { startNotifyProcess } from './notify/child.ts'
import { startNotify } from './notify/server.ts'
import { startPayProcess } from './pay/child.ts'
import { startChannel } from './pay/server.ts'

const dataDir = mkdtempSync(path.join(tmpdir(), 'kerbline-child-'))
afterAll(() => rmSync(dataDir, { recursive: true }))
const SECRET = 's'.repeat(32)
writeFileSync(path.join(dataDir, 'pay-sandbox.json'), JSON.stringify({ secret: SECRET, url: 'http://127.0.0.1:1' }))
writeFileSync(path.join(dataDir, 'notify-sandbox.json'), JSON.stringify({ secret: SECRET }))
const lines: unknown[] = []
const log = { warn: (line: unknown) => void lines.push(line) }
/** Starts without the process, which the log tells in one line, and where. */
async function withoutIt(started: Promise<unknown>, port: number) {
  lines.length = 0
  expect(await orWithout(log, started)).toBeUndefined()
  expect(lines).toEqual([expect.stringMatching(new RegExp(`^The [a-z ]+ at ports? ${port}.* did not start\\. The demo goes on without it\\.$`))])
}

test('a port that somebody else has: that is said, and nothing fails', async () => {
  const other = net.createServer((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'))
  const port = await freePort(1)
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
  try {
    await withoutIt(startPayProcess({ dataDir, port }), port)
    await withoutIt(startNotifyProcess({ dataDir, port, mailPort: port + 1 }), port)
  } finally {
    other.close()
  }
})

test('one that listens there with our secret is used again, one with another secret is not', async () => {
  const [pay, notify, mailPort] = [await freePort(), await freePort(), await freePort()]
  const own = [await startChannel({ port: pay, secret: SECRET }), await startNotify({ port: notify, mailPort, secret: SECRET })]
  await startPayProcess({ dataDir, port: pay })
  expect(await startNotifyProcess({ dataDir, port: notify, mailPort })).toEqual({ url: `http://127.0.0.1:${notify}`, mailPort, secret: SECRET })
  for (const one of own) await one.stop()
  const elsewhere = await freePort()
  const others = await startChannel({ port: elsewhere, secret: 'o'.repeat(32) })
  await withoutIt(startPayProcess({ dataDir, port: elsewhere }), elsewhere)
  expect(await answersAt(others.url)).toBe(true)
  await others.stop()
})

test('one that we started and that lives is not started twice, wherever it listens', async () => {
  const free = { dataDir, port: 0, mailPort: 0 }
  const first = await startNotifyProcess(free)
  expect(await answersAt(first.url, SECRET)).toBe(true)
  expect(await startNotifyProcess(free)).toEqual(first)
})
