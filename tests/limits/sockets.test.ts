import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/server.ts'
import { tally } from '../../scripts/tally.ts'

/** `SOCKETS=2000` for the whole crowd. */
const SOCKETS = Number(process.env['SOCKETS'] ?? 40)
/** A request that is not whole by then is given up. */
const CUT_MS = 15_000
/** Node gives an answer that is not read its 7 s twice. */
const UNREAD_MS = 16_000
const QUICK_MS = 1_000
const GROWTH_MB = 200

let server: TestServer
let admin: string
let port: number
beforeAll(async () => {
  server = await startTestServer({ role: 'web' })
  admin = await server.signIn('admin')
  port = Number(new URL(server.url).port)
})
afterAll(() => server.close())

interface Slow {
  socket: Socket
  /** How long the server kept it, and what it said. */
  ended: Promise<{ ms: number; said: string }>
}
function open(first: string): Slow {
  const begun = performance.now()
  const socket = connect(port, '127.0.0.1', () => socket.write(first))
  let said = ''
  socket.on('data', (bytes) => (said += String(bytes)))
  const ended = new Promise<{ ms: number; said: string }>((resolve) => {
    const end = () => resolve({ ms: performance.now() - begun, said })
    socket.on('close', end).on('error', end)
  })
  return { socket, ended }
}
/** Asks for more than the system's buffers hold and takes nothing of it, until `look`. */
function unread(): { look: () => Promise<number>; asked: number } {
  const asked = 60
  const socket = connect(port, '127.0.0.1', () => socket.write('GET /lbs/openapi.json HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(asked)))
  socket.pause()
  let answers = 0
  const look = () =>
    new Promise<number>((resolve) => {
      const end = () => resolve(answers)
      socket.on('close', end).on('error', end)
      socket.on('data', (bytes) => (answers += bytes.toString('latin1').split('HTTP/1.1 200').length - 1))
      socket.setTimeout(QUIET_MS, () => socket.destroy())
      socket.resume()
    })
  return { look, asked }
}
/** A server that had kept the rest would go on sending within this time. */
const QUIET_MS = 3_000
const HEAD = 'POST /lbs/basic/parkInfo/add HTTP/1.1\r\nhost: x\r\n'
const quick = async () => {
  const begun = performance.now()
  expect((await server.ask(admin, 'GET', '/lbs/custom/account/getUserInfo')).status).toBe(200)
  return performance.now() - begun
}
const median = (numbers: number[]) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!

test(
  'sockets that send a header or a body for ever, or read nothing, are cut, and meanwhile everybody else is answered at once',
  async () => {
    const before = process.memoryUsage().rss
    const slow = Array.from({ length: SOCKETS }, (_, i) =>
      open(i % 2 ? HEAD : `${HEAD}authorization: Bearer ${admin}\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{`),
    )
    const reader = unread()
    const drip = setInterval(() => slow.forEach(({ socket }, i) => !socket.destroyed && socket.write(i % 2 ? 'x-a: b\r\n' : ' ')), 1_000)
    const waits: number[] = []
    const all = Promise.all(slow.map(({ ended }) => ended))
    let over = false
    void all.then(() => (over = true))
    const begun = performance.now()
    while ((!over || performance.now() - begun < UNREAD_MS) && waits.length < 400) {
      waits.push(await quick())
      await pause(100)
    }
    const ends = await all
    clearInterval(drip)
    const longest = Math.max(...ends.map(({ ms }) => ms))
    const grown = (process.memoryUsage().rss - before) / 1024 / 1024
    expect(longest).toBeLessThan(CUT_MS)
    expect(median(waits)).toBeLessThan(QUICK_MS)
    expect(await reader.look()).toBeLessThan(reader.asked)
    expect(grown).toBeLessThan(GROWTH_MB)
    tally({
      check: 'limits: slow sockets',
      numbers: { sockets: SOCKETS, longestMs: Math.round(longest), medianOfOthersMs: Math.round(median(waits)), grownMb: Math.round(grown) },
    })
  },
  CUT_MS * 2,
)

const said = async (request: string): Promise<string> => {
  const { socket, ended } = open(request)
  const timer = setTimeout(() => socket.destroy(), 10_000)
  const { said: answer } = await ended
  clearTimeout(timer)
  return answer.split('\r\n')[0]!
}
const bodyOf = async (request: string) => JSON.parse((await open(request).ended).said.split('\r\n\r\n')[1]!) as object
const json = (body: string) =>
  `${HEAD}authorization: Bearer ${admin}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

test('ten thousand headers, three megabytes, and braces a hundred thousand deep are refused, each with its own word', async () => {
  const headers = Array.from({ length: 10_000 }, (_, i) => `x-${i}: 1`).join('\r\n')
  expect(await said(`${HEAD}${headers}\r\n\r\n`)).toMatch(/ 431 /)
  expect(await bodyOf(`${HEAD}${headers}\r\n\r\n`)).toMatchObject({
    code: 431,
    id: 'system.header-too-large',
    message: expect.stringContaining('请求头过大'),
  })
  expect(
    await said(`${HEAD}authorization: Bearer ${admin}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: 3145728\r\n\r\n{`),
  ).toMatch(/ 413 /)
  expect(await said(json(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`))).toMatch(/ 400 /)
  expect(await said(json('['.repeat(100_000)))).toMatch(/ 400 /)
  expect(
    await said(
      `${HEAD}authorization: Bearer ${admin}\r\nconnection: close\r\ntransfer-encoding: chunked\r\ncontent-type: application/json\r\n\r\n${`8000\r\n${' '.repeat(0x8000)}\r\n`.repeat(100)}`,
    ),
  ).toMatch(/ 413 /)
  expect(await said('GET / HTTP/1.1\r\n\r\n')).toMatch(/ 400 /)
  expect(await said('NOTHING\r\n\r\n')).toMatch(/ 400 /)
  expect(await quick()).toBeLessThan(QUICK_MS)
})
