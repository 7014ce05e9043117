import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { MARK, markOf } from '../child.ts'
import { type Answer, type Mischief, SandboxChannel, type SandboxOptions } from './provider.ts'

export interface RunningChannel {
  url: string
  channel: SandboxChannel
  stop(): Promise<void>
}
const BODY_MAX = 16 * 1024

/** The channel behind HTTP: `/prepay`, `/query`, `/close`, `/refund`, `/refund/query`, `/bill` for merchants (signed), `/pay` for drivers, `/counts` for the city. */
export async function startChannel({
  port,
  host = '127.0.0.1',
  ...options
}: SandboxOptions & { port: number; host?: string }): Promise<RunningChannel> {
  const channel = new SandboxChannel(options)
  const mark = markOf(options.secret)
  const server = createServer((request, response) => {
    response.setHeader(MARK, mark)
    answerTo(channel, request)
      .catch((): Answer => ({ status: 400, body: { error: 'body' } }))
      .then((answer) => send(response, answer))
      .catch(() => response.destroy())
  })
  server.headersTimeout = 5_000
  server.requestTimeout = 10_000
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  const url = `http://${host}:${(server.address() as AddressInfo).port}`
  return {
    url,
    channel,
    async stop() {
      channel.stop()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function answerTo(channel: SandboxChannel, request: IncomingMessage): Promise<Answer | string> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://channel')
  if (request.method === 'GET' && pathname === '/counts') return { status: 200, body: channel.counts }
  if (request.method === 'GET' && pathname === '/pay') return payPage(channel, searchParams.get('payNo') ?? '')
  if (request.method !== 'POST') return { status: 405, body: { error: 'method' } }
  const body = await bodyOf(request)
  if (pathname === '/pay') return channel.pay(String(body['payNo']), body as Mischief)
  const answer = channel.merchantCall(pathname, body)
  const { payUrl } = answer.body
  return typeof payUrl === 'string' ? { ...answer, body: { payUrl: `http://${request.headers.host}${payUrl}` } } : answer
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, any>> {
  let text = ''
  for await (const part of request.setEncoding('utf8')) {
    text += part
    if (text.length > BODY_MAX) throw new Error('too long')
  }
  const form = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')
  return form ? Object.fromEntries(new URLSearchParams(text)) : (JSON.parse(text) as Record<string, any>)
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
/** For a person who plays the driver. */
function payPage(channel: SandboxChannel, payNo: string): string {
  const trade = channel.tradeOf(payNo)
  const text = trade
    ? `<p>${escaped(trade.subject)}</p><h1>¥${(trade.amountFen / 100).toFixed(2)}</h1><p>${escaped(trade.channel)} · ${trade.state}</p>
      ${trade.state === 'unpaid' ? `<form method="post" action="/pay"><input type="hidden" name="payNo" value="${escaped(payNo)}"><button>支付 Pay</button></form>` : ''}`
    : '<p>没有这笔支付 No such payment</p>'
  return `<!doctype html><html lang="zh"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>沙箱支付 Sandbox payment</title>
    <body style="font:16px system-ui;max-width:22rem;margin:4rem auto;text-align:center">${text}</body></html>`
}

function send(response: ServerResponse, answer: Answer | string): void {
  const [status, type, body] =
    typeof answer === 'string'
      ? ([200, 'text/html; charset=utf-8', answer] as const)
      : ([answer.status, 'application/json', JSON.stringify(answer.body)] as const)
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
}
