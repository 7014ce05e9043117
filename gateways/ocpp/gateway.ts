import { createServer, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { openPileDoor, PILE_SIGNAL, pileRefused, type PileSession } from '../../domains/charging/server/api.ts'
import type { Instant } from '../../platform/contract/field.ts'
import type { House } from '../../platform/server/domain.ts'
import { slotsOf } from '../../platform/server/job/slots.ts'
import { openCertificates } from './certificate.ts'
import * as counted from './counters.ts'
import { type FrameKeeper, openFrameKeeper } from './keeper.ts'
import { openLine } from './line.ts'
import { openPiles, type Piles } from './piles.ts'
import { openShared, type Shared } from './together.ts'
import { addressOf, offered, pointIn, refuseUpgrade, secretIn, versionFor } from './upgrade.ts'

const CONNECTIONS_MAX = 20_000
/** A longer message ends the connection: it would have to be kept whole before it could be refused. */
const MESSAGE_MAX = 1024 * 1024
/** Sign-ins looked at at once; a town that comes back after a power cut waits in line. */
const AT_ONCE = 6
const WAITING_MAX = 20_000
const LOG_MS = 10_000
/** A refusal is written down so often for a pile: nothing makes it wait where there is no secret to guess. */
const REFUSAL_MS = 60_000
const HTTP_MS = 20_000

/** The OCPP side of the house: charging piles sign in at `/ocpp/<charge point id>`, say what happens, and are told what is wanted. */
export async function ocppGateway(house: House, port: number): Promise<{ port: number | undefined; stop(): Promise<void> }> {
  const keeper = openFrameKeeper(house)
  const piles = openPiles(house)
  const shared = openShared(house)
  const slots = slotsOf(AT_ONCE, WAITING_MAX)
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MESSAGE_MAX, perMessageDeflate: false, handleProtocols: () => false })
  const server = createServer(
    { requestTimeout: HTTP_MS, headersTimeout: HTTP_MS },
    (_, reply) => void reply.writeHead(426, { connection: 'close', upgrade: 'websocket' }).end(),
  )
  const upgrade = openUpgrade({ house, shared, keeper, piles, sockets })
  let stopping = false

  server.on('upgrade', (request, socket: Duplex, head) => {
    socket.on('error', () => {})
    if (stopping || sockets.clients.size >= CONNECTIONS_MAX) return refuseUpgrade(socket, 503)
    slots(() => upgrade(request, socket, head)).catch((error: Error) => {
      house.log.warn({ err: error }, 'Charging piles cannot be let in while the database is away.')
      refuseUpgrade(socket, 503)
    })
  })

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, house.config.host, resolve)
  })
  house.hub.onSignal(PILE_SIGNAL, (equipmentId) => piles.wanted(equipmentId))
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : undefined,
    async stop() {
      stopping = true
      server.close()
      await piles.stop()
      for (const one of sockets.clients) one.terminate()
      await keeper.stop()
    },
  }
}

interface Doors {
  house: House
  shared: Shared
  keeper: FrameKeeper
  piles: Piles
  sockets: WebSocketServer
}
/** Lets a pile in, or says why not: to it by HTTP, to its page, and to the log now and then. */
function openUpgrade({ house, shared, keeper, piles, sockets }: Doors) {
  const enter = openPileDoor(house.pool)
  const certified = openCertificates(house.config)
  const seldom = openSeldom(LOG_MS)
  const written = openSeldom(REFUSAL_MS)
  return upgrade

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const point = pointIn(request.url)
    const address = addressOf(request)
    if (point === undefined) return refuse(404, 'path')
    const entry = await enter(point, { secret: secretIn(request.headers.authorization, point), certified: certified(request) })
    if ('refused' in entry) {
      if ('equipmentId' in entry) await told(entry, entry.refused)
      return refuse(entry.refused === 'too-many' ? 429 : 401, entry.refused)
    }
    const spoken = versionFor(entry.session.protocol, offered(request.headers['sec-websocket-protocol']))
    if (!spoken) {
      await told(entry.session, 'protocol')
      return refuse(400, 'protocol')
    }
    if (spoken.word === null) delete request.headers['sec-websocket-protocol']
    sockets.options.handleProtocols = () => spoken.word ?? false
    sockets.handleUpgrade(request, socket, head, (ws: WebSocket) => {
      const line = openLine({ house, shared, keeper, session: entry.session, version: spoken.version, socket: ws, gone: (one) => piles.left(one) })
      piles.came(line, { renewed: entry.renewed, ip: address, subProtocol: spoken.word })
    })

    function refuse(status: number, reason: string): void {
      counted.rejects.inc({ reason })
      seldom(`${address} ${point}`, () => house.log.warn({ point: point?.slice(0, 60), address, reason }, 'A charging pile was not let in.'))
      refuseUpgrade(socket, status)
    }
    /** Its page shows why; strangers have none. */
    function told(
      { enterprise, equipmentId }: Pick<PileSession, 'enterprise' | 'equipmentId'>,
      reason: 'credentials' | 'disabled' | 'noSecret' | 'protocol' | 'certificate',
    ) {
      return written(`${enterprise} ${equipmentId} ${reason}`, () =>
        house.writing(enterprise, 'ocpp.refused', (tx) => pileRefused(tx, equipmentId, reason, new Date().toISOString() as Instant)),
      )
    }
  }
}

/** Does the work of one key once in so long. */
function openSeldom(everyMs: number) {
  const doneAt = new Map<string, number>()
  return <T>(key: string, work: () => T): T | undefined => {
    if (performance.now() - (doneAt.get(key) ?? -Infinity) < everyMs) return undefined
    if (doneAt.size > 10_000) doneAt.clear()
    doneAt.set(key, performance.now())
    return work()
  }
}
