import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { MARK, markOf } from '../child.ts'
import { type NotifyOptions, type Reply, SandboxNotify } from './provider.ts'

export interface RunningNotify {
  url: string
  mailPort: number
  notify: SandboxNotify
  /** Letters that the mail server took. */
  letters: Letter[]
  stop(): Promise<void>
}
export interface Letter {
  from: string
  to: string[]
  raw: string
}
const BODY_MAX = 64 * 1024
const LETTERS_KEPT = 1_000

/** The provider behind HTTP: `/send` for messages, `/hook` for webhooks, `/counts` and `/sent` for whoever looks on; and a mail server beside it. */
export async function startNotify({
  port,
  mailPort = 0,
  host = '127.0.0.1',
  ...options
}: NotifyOptions & { port: number; mailPort?: number; host?: string }): Promise<RunningNotify> {
  const notify = new SandboxNotify(options)
  const mark = markOf(options.secret)
  const server = createServer((request, response) => {
    response.setHeader(MARK, mark)
    answerTo(notify, request)
      .catch((): Reply => ({ status: 400, body: { error: 'body' } }))
      .then(async ({ status, body, retryAfterS, lagMs = 0 }) => {
        await pause(lagMs)
        const headers = { 'content-type': 'application/json', ...(retryAfterS && { 'retry-after': String(retryAfterS) }) }
        response.writeHead(status, headers).end(JSON.stringify(body))
      })
      .catch(() => response.destroy())
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  const letters: Letter[] = []
  const mail = mailServer(letters)
  await new Promise<void>((resolve, reject) => (mail.on('error', reject), mail.listen(mailPort, host, () => resolve())))
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    mailPort: (mail.server.address() as AddressInfo).port,
    notify,
    letters,
    async stop() {
      server.closeAllConnections()
      await Promise.all([new Promise((resolve) => server.close(resolve)), new Promise<void>((resolve) => mail.close(() => resolve()))])
    },
  }
}

/** A real SMTP server that delivers to nobody. `nobody@` is no mailbox of it, `busy@` is asked to come again. */
const mailServer = (letters: Letter[]): SMTPServer =>
  new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    closeTimeout: 1_000,
    onAuth: ({ username = '', password = '' }, _session, done) =>
      password === 'wrong-password' ? done(new Error('535 wrong password')) : done(null, { user: username }),
    onRcptTo({ address }, _session, done) {
      if (address.startsWith('nobody@')) return done(Object.assign(new Error('no such mailbox'), { responseCode: 550 }))
      if (address.startsWith('busy@')) return done(Object.assign(new Error('come again later'), { responseCode: 451 }))
      return done()
    },
    onData(stream, session, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        if (letters.length >= LETTERS_KEPT) letters.shift()
        letters.push({ from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address), raw: Buffer.concat(parts).toString('utf8') })
        done(null, 'taken')
      })
    },
  })

async function answerTo(notify: SandboxNotify, request: IncomingMessage): Promise<Reply> {
  const { pathname } = new URL(request.url ?? '/', 'http://notify')
  if (request.method === 'GET' && pathname === '/counts') return { status: 200, body: notify.counts }
  if (request.method === 'GET' && pathname === '/sent') return { status: 200, body: { sent: notify.sent.slice(-200) } }
  if (request.method !== 'POST') return { status: 405, body: { error: 'method' } }
  let text = ''
  for await (const part of request.setEncoding('utf8')) {
    text += part
    if (text.length > BODY_MAX) throw new Error('too long')
  }
  const of = (name: string) => String(request.headers[name] ?? '')
  const headers = { timestamp: of('x-timestamp'), signature: of('x-signature'), key: of('x-request-key') || of('x-delivery') }
  if (pathname === '/send') return notify.send(headers, text)
  if (pathname === '/hook') return notify.hook(headers, text)
  return { status: 404, body: { error: 'path' } }
}
