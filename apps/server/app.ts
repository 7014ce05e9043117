import formbody from '@fastify/formbody'
import multipart from '@fastify/multipart'
import websocket from '@fastify/websocket'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { randomUUID } from 'node:crypto'
import { partnerDoor } from '../../gateways/tcec102/gateway.ts'
import { answerErrors, answerMalformed } from '../../platform/server/call/answer.ts'
import type { House } from '../../platform/server/domain.ts'
import { limitsOf } from '../../platform/server/call/limits.ts'
import { type CallNote, register, type Served, type Sessions } from '../../platform/server/serve.ts'
import { door, HEADERS } from './door.ts'
import { drivers } from './drivers.ts'
import { health, type Readiness } from './health.ts'
import { pages } from './pages.ts'
import { realtimeDoor } from './realtime.ts'
import { reference } from './reference.ts'
import { desk } from './desk.ts'
import { scans } from './scans.ts'
import { giveUpSlowReaders } from './slow.ts'
import { watch } from './watch.ts'

/** A body is a form, a page of rows or a picture; sheets come as multipart and have their own limit. */
const BODY_MAX = 1024 * 1024
/** The largest picture that may be uploaded, with room for the other parts. */
const UPLOAD_MAX = 21 * 1024 * 1024
/** Fastify waits for ever by default. The page gives up after 50 s, so the server must first. */
const HANDLER_MS = 45_000

export async function buildApp(
  house: House,
  sessions: Sessions,
  served: Served,
  readiness: Readiness,
  note: (note: CallNote) => void,
): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: house.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_MAX,
    ...door(house.log),
    handlerTimeout: HANDLER_MS,
    routerOptions: { maxParamLength: 500 },
    trustProxy: house.config.trustProxy ?? false,
    genReqId: () => randomUUID(),
    forceCloseConnections: true,
    // An address that cannot even be read meets no hook: it gets the same headers here.
    frameworkErrors: (_, request, reply) => answerMalformed(request, reply.headers(HEADERS).header('x-request-id', request.id)),
  })
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(HEADERS).header('x-request-id', request.id)
  })
  giveUpSlowReaders(app)
  watch(app)
  answerErrors(app)
  await app.register(formbody, { bodyLimit: BODY_MAX })
  await app.register(multipart, { limits: { fileSize: UPLOAD_MAX, files: 1, fields: 20, fieldSize: BODY_MAX } })
  await app.register(websocket, { options: { maxPayload: 16 * 1024 } })
  health(app, house, sessions, readiness)
  reference(app, served)
  realtimeDoor(app, house, sessions)
  const limits = limitsOf(house.config.rateLimit ?? 1)
  register(app, house, sessions, served, limits, note)
  await scans(app, house, limits)
  drivers(app, house, limits)
  await desk(app)
  partnerDoor(app, house, limits)
  await pages(app, house.config.map)
  return app
}
