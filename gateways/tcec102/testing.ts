import { createServer, type Server } from 'node:http'
import { type FourSecrets, vault } from '../../domains/charging/server/partner.ts'
import type { Yard } from '../../domains/charging/server/testing.ts'
import { allowOutside } from '../../platform/server/outside.ts'
import { answered, decrypted, envelopeOf, isSignature, requestSignature, sealed, sequence, answerSignature } from './codec.ts'

export const KEY = '1234567890abcdef'
const THEIRS: FourSecrets = {
  operatorSecret: 'their-secret-1234',
  dataSecret: 'theirdatasecret1',
  dataSecretIv: 'theirdatasecriv1',
  sigSecret: 'their-signature-1',
}

/** Another platform, as it would be: it calls us with what we gave it, and hears what we tell it. */
export interface Peer {
  platformId: string
  operatorId: string
  /** Requests that it received, in order: the interface and the content of Data. */
  heard: { name: string; data: any }[]
  /** The refusal that its answers carry, as long as one is set. */
  refuse: { ret?: number; status?: number }
  /** Further content of its good answers, by the interface; a number is the Ret that it refuses with. */
  answers: Record<string, object | ((asked: any) => object | number)>
  tokensGiven: number
  /** The secret with which it asks us for a token. */
  secret: string
  /** One request; the answer opened and its signature looked at. */
  call(
    name: string,
    data: object,
    more?: { token?: string | null; timeStamp?: string; sig?: string; seq?: string; url?: string },
  ): Promise<{ ret: number; signed: boolean; data: any }>
  /** With a token of its own. */
  ask(name: string, data: object): Promise<any>
  seq(): string
  close(): Promise<void>
}

let codes = 0
export async function aPeer(yard: Yard, { creditLimitFen = 1_000_000, dialect = 1, stations = ['ST001'], role = 1 } = {}): Promise<Peer> {
  const operatorId = `MP${String(++codes).padStart(7, '0')}`
  const ours: FourSecrets = { operatorSecret: `${KEY}${codes}`, dataSecret: KEY, dataSecretIv: KEY, sigSecret: `${KEY}${codes}` }
  const peer = { operatorId, heard: [], refuse: {}, answers: {}, tokensGiven: 0 } as unknown as Peer
  const server = await listen(peer)
  const { port } = server.address() as { port: number }
  allowOutside([`127.0.0.1:${port}`])
  const [row] = await yard.sql<{ id: string }>(
    `insert into charging.platform (name, operator_id, role, base_url, dialect, open_stations, credit_limit_fen, ours, theirs) values ($1, $1, $8, $2, $3, $4, $5, $6, $7) returning id`,
    [
      operatorId,
      `http://127.0.0.1:${port}/evcs/v1/`,
      dialect,
      stations,
      creditLimitFen,
      vault().locked(JSON.stringify(ours)),
      vault().locked(JSON.stringify(THEIRS)),
      role,
    ],
  )
  const stamp = sequence()
  let token: string | undefined
  let seqs = 0
  return Object.assign(peer, {
    platformId: row!.id,
    secret: ours.operatorSecret,
    async call(name, data, { token: bearer = token, timeStamp, sig, seq, url = yard.server.url } = {}) {
      const now = stamp()
      const body = sealed(operatorId, data, { ...now, ...(timeStamp && { TimeStamp: timeStamp }), ...(seq && { Seq: seq }) }, ours)
      const headers = { 'content-type': 'application/json; charset=utf-8', ...(bearer && { authorization: `Bearer ${bearer}` }) }
      const reply = await fetch(`${url}/evcs/v1/${name}`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ ...body, ...(sig && { Sig: sig }) }),
      })
      const answer = (await reply.json()) as { Ret: number; Msg: string; Data: string; Sig: string }
      const signed = isSignature(answer.Sig, answerSignature(answer, ours))
      return { ret: answer.Ret, signed, data: answer.Data ? JSON.parse(decrypted(answer.Data, ours)!) : undefined }
    },
    async ask(name, data) {
      token ??= (await peer.call('query_token', { OperatorID: operatorId, OperatorSecret: ours.operatorSecret })).data.AccessToken
      const { ret, signed, data: answer } = await peer.call(name, data)
      if (ret !== 0 || !signed) throw new Error(`${name}: Ret ${ret}`)
      return answer
    },
    seq: () => `${operatorId}${String(++seqs).padStart(18, '0')}`,
    close: () => new Promise<void>((done) => void server.close(() => done())),
  } satisfies Partial<Peer>)
}

const saidBy = (answer: Peer['answers'][string] | undefined, asked: unknown) => (typeof answer === 'function' ? answer(asked) : answer)
/** Its own door, by the same rules. */
function listen(peer: Peer): Promise<Server> {
  const server = createServer((request, reply) => {
    let text = ''
    request.on('data', (part) => (text += String(part)))
    request.on('end', () => {
      const name = request.url!.split('/').at(-1)!
      const envelope = envelopeOf(JSON.parse(text))
      const good = envelope && isSignature(envelope.Sig, requestSignature(envelope, THEIRS))
      const data = good && JSON.parse(decrypted(envelope.Data, THEIRS)!)
      const isToken = name === 'query_token'
      const { ret = 0, status = 200 } = isToken ? {} : peer.refuse
      const besides = good && saidBy(peer.answers[name], data)
      if (isToken) peer.tokensGiven += 1
      const known = isToken || request.headers.authorization === `Bearer token-${peer.tokensGiven}`
      const inner = isToken
        ? { OperatorID: peer.operatorId, SuccStat: 0, AccessToken: `token-${peer.tokensGiven}`, TokenAvailableTime: 7200, FailReason: 0 }
        : { Status: 0, SuccStat: 0, ConfirmResult: 0, ...(typeof besides === 'object' && besides) }
      const outcome = good ? (known ? (typeof besides === 'number' ? besides : ret) : 4002) : 4001
      if (outcome === 0 && status === 200 && !isToken) peer.heard.push({ name, data })
      reply
        .writeHead(status, { 'content-type': 'application/json', connection: 'close' })
        .end(JSON.stringify(answered(outcome, 'said', inner, THEIRS)))
    })
  })
  // A test that never closes the server can still end: the server does not hold the process.
  return new Promise((done) => void server.unref().listen(0, '127.0.0.1', () => done(server)))
}
