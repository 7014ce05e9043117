import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Heard, type PartnerOptions, SandboxPartner } from './partner.ts'
import type { Request } from './wire.ts'

export interface RunningPartner {
  /** Its door: `/evcs/v1/<interface>` stands behind it. */
  url: string
  partner: SandboxPartner
  stop(): Promise<void>
}
const BODY_MAX = 256 * 1024
/** Longer than anybody waits. */
const SILENT_MS = 8_000

/** The partner behind HTTP: `POST /evcs/v1/<interface>` for the platform, `GET /counts` for whoever looks on. */
export async function startPartner({
  port,
  host = '127.0.0.1',
  ...options
}: PartnerOptions & { port: number; host?: string }): Promise<RunningPartner> {
  const partner = new SandboxPartner(options)
  const server = createServer((request, response) => {
    answerTo(partner, request)
      .then((answer) => {
        if (answer) return void response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(answer))
        setTimeout(() => response.destroy(), SILENT_MS).unref()
      })
      .catch(() => response.writeHead(400).end())
  })
  server.requestTimeout = 10_000
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  void partner.live()
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    partner,
    async stop() {
      partner.stop()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function answerTo(partner: SandboxPartner, request: IncomingMessage): Promise<Heard | object> {
  const { pathname } = new URL(request.url ?? '/', 'http://partner')
  if (request.method === 'GET' && pathname === '/counts') return { ...partner.counts, problem: partner.problem, stations: partner.own?.counts }
  const name = /^\/evcs\/v1\/(\w+)$/.exec(pathname)?.[1]
  if (request.method !== 'POST' || !name) throw new Error('path')
  let text = ''
  for await (const part of request.setEncoding('utf8')) {
    text += part
    if (text.length > BODY_MAX) throw new Error('too long')
  }
  return partner.hear(name, request.headers.authorization, JSON.parse(text) as Request)
}
