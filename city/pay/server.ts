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

/** The channel behind HTTP: `/prepay`, `/query`, `/close`, `/refund`, `/refund/query`, `/agreement`, `/agreement/query`, `/agreement/end`, `/debit`, `/bill` for merchants (signed), `/pay` and `/sign` for drivers, `/counts` for the city. */
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
  if (request.method === 'GET' && pathname === '/sign') return signPage(channel, searchParams.get('contractNo') ?? '')
  if (request.method !== 'POST') return { status: 405, body: { error: 'method' } }
  const body = await bodyOf(request)
  if (pathname === '/pay') return channel.pay(String(body['payNo']), body as Mischief)
  if (pathname === '/sign') return channel.sign(String(body['contractNo']), body)
  const answer = channel.merchantCall(pathname, body)
  const pages = Object.entries(answer.body).filter(([name]) => name === 'payUrl' || name === 'signUrl')
  return {
    ...answer,
    body: { ...answer.body, ...Object.fromEntries(pages.map(([name, path]) => [name, `http://${request.headers.host}${String(path)}`])) },
  }
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
  return pageWith('沙箱支付 Sandbox payment', text)
}
/** For a person who lets fees be taken from now on. */
function signPage(channel: SandboxChannel, contractNo: string): string {
  const agreement = channel.agreementOf(contractNo)
  const form = (act: string, more = '') =>
    `<form method="post" action="/sign"><input type="hidden" name="contractNo" value="${escaped(contractNo)}">${more}<button>${act}</button></form>`
  const text = agreement
    ? `<p>停车免密支付 Parking fees without asking</p><h1>${escaped(agreement.plateNo)}</h1><p>${escaped(agreement.channel)} · ${agreement.state}</p>
      ${agreement.state === 'waiting' ? form('同意开通 Agree') : ''}${agreement.state === 'signed' ? form('解约 End', '<input type="hidden" name="end" value="1">') : ''}`
    : '<p>没有这份签约 No such agreement</p>'
  return pageWith('沙箱签约 Sandbox agreement', text)
}
function pageWith(title: string, text: string): string {
  return `<!doctype html><html lang="zh"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
    <body style="font:16px system-ui;max-width:22rem;margin:4rem auto;text-align:center">${text}</body></html>`
}

function send(response: ServerResponse, answer: Answer | string): void {
  const [status, type, body] =
    typeof answer === 'string'
      ? ([200, 'text/html; charset=utf-8', answer] as const)
      : ([answer.status, 'application/json', JSON.stringify(answer.body)] as const)
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
}
