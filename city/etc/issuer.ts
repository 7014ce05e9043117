import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cityTime } from '../../platform/contract/time.ts'
import { type Answer, SandboxChannel } from '../pay/provider.ts'

/** How a trade ended, as the issuer's files say it. */
export const Result = { done: 0, failed: 1, disputed: 2 } as const
/** One trade as a lane's antenna made it: what is in the card is the truth, whatever the lane heard of it. */
export interface Trade {
  deductNo: string
  psamNo: string
  psamSeq: number
  cardNo: string
  plateNo: string
  plateColor: number
  laneNo: string
  tradeTime: string
  amountFen: number
  feeFen: number
  result: (typeof Result)[keyof typeof Result]
  failCode?: number
}
export interface RunningIssuer {
  url: string
  trades: Trade[]
  fileOf(issuer: string, clearDate: string, seq: number): { name: string; text: string }
  stop(): Promise<void>
}
const BODY_MAX = 16 * 1024

/**
 * The issuer of ETC cards, as it is seen from outside: `POST /trade` from the lanes, `POST /refund` and `/refund/query` from merchants (signed, answered later by a signed notice),
 * `GET /file?issuer=HB&date=2026-11-23&seq=1` for the day's clearing file, `GET /counts` for what was charged and given back.
 */
export async function startIssuer({ port, secret, host = '127.0.0.1' }: { port: number; secret: string; host?: string }): Promise<RunningIssuer> {
  const channel = new SandboxChannel({ secret })
  const trades: Trade[] = []
  const fileOf: RunningIssuer['fileOf'] = (issuer, clearDate, seq) =>
    clearingFile(issuer, clearDate, seq, trades, channel.returnedOn(clearDate.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3')))
  const server = createServer((request, response) => {
    answer(request, channel, trades, fileOf)
      .catch((): Answer => ({ status: 400, body: { error: 'body' } }))
      .then(({ status, body }) =>
        response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(JSON.stringify(body)),
      )
      .catch(() => response.destroy())
  })
  server.requestTimeout = 10_000
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    trades,
    fileOf,
    async stop() {
      channel.stop()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function answer(request: IncomingMessage, channel: SandboxChannel, trades: Trade[], fileOf: RunningIssuer['fileOf']): Promise<Answer> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://issuer')
  if (request.method === 'GET' && pathname === '/file')
    return { status: 200, body: fileOf(searchParams.get('issuer') ?? 'HB', searchParams.get('date') ?? '', Number(searchParams.get('seq') ?? 1)) }
  if (request.method === 'GET' && pathname === '/counts') return { status: 200, body: countsOf(channel, trades) }
  if (request.method !== 'POST') return { status: 405, body: { error: 'method' } }
  let text = ''
  for await (const part of request.setEncoding('utf8')) {
    text += part
    if (text.length > BODY_MAX) return { status: 413, body: { error: 'too long' } }
  }
  const body = JSON.parse(text) as Record<string, unknown>
  if (pathname !== '/trade') return channel.merchantCall(pathname, body)
  // The same card trade told twice is one.
  if (!trades.some(({ psamNo, psamSeq }) => psamNo === body['psamNo'] && psamSeq === body['psamSeq'])) trades.push(body as unknown as Trade)
  return { status: 200, body: { ok: true } }
}

/** The charges of cards, and their refunds. */
const countsOf = (channel: SandboxChannel, trades: readonly Trade[]) => ({
  trades: trades.length,
  takenFen: trades.reduce((sum, { amountFen, result }) => sum + (result === Result.done ? amountFen : 0), 0),
  refundedFen: channel.counts.refundedFen,
})

type Returned = ReturnType<SandboxChannel['returnedOn']>[number]
/** `H`, a `D` for each trade of the day and for each that went back on it, `T` with number, sums and the checksum of all lines before it. */
export function clearingFile(
  issuer: string,
  clearDate: string,
  seq: number,
  all: readonly Trade[],
  back: readonly Returned[] = [],
): { name: string; text: string } {
  const rows = all.filter(({ tradeTime }) => tradeTime.startsWith(clearDate))
  const charged = rows.map((one, place) =>
    [
      'D',
      place + 1,
      1,
      one.deductNo,
      `I${one.psamNo}${one.psamSeq}`,
      one.psamNo,
      one.psamSeq,
      one.cardNo,
      one.plateNo,
      one.plateColor,
      one.laneNo,
      one.tradeTime,
      one.amountFen,
      one.feeFen,
      one.result,
      one.failCode ?? '',
    ].join(','),
  )
  const returned = back.map(({ channelRefundNo, payNo, amountFen, doneAt }, place) => {
    const of = all.find(({ deductNo }) => deductNo === payNo)
    return [
      'D',
      rows.length + place + 1,
      2,
      payNo,
      channelRefundNo,
      of?.psamNo ?? '',
      of?.psamSeq ?? '',
      of?.cardNo ?? '',
      of?.plateNo ?? '',
      of?.plateColor ?? '',
      of?.laneNo ?? '',
      cityTime(doneAt),
      amountFen,
      0,
      Result.done,
      '',
    ].join(',')
  })
  const lines = [...charged, ...returned]
  const refundFen = back.reduce((sum, { amountFen }) => sum + amountFen, 0)
  const chargeFen = rows.reduce((sum, { amountFen, result }) => sum + (result === Result.done ? amountFen : 0), 0)
  const body = `${[`H,${issuer},${clearDate},${seq}`, ...lines].join('\n')}\n`
  const sha = createHash('sha256').update(body).digest('hex')
  return { name: `ETC_${issuer}_${clearDate}_${seq}.csv`, text: `${body}T,${lines.length},${chargeFen},${refundFen},${sha}\n` }
}
