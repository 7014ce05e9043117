import type { FastifyInstance } from 'fastify'
import type { House } from '../../platform/server/domain.ts'
import { registry } from '../../platform/server/metrics.ts'
import { NoPermission, SignInFirst, Unavailable } from '../../platform/server/refusal.ts'
import { BOUND_COOKIE, cookieOf } from '../../platform/server/call/cookies.ts'
import type { Sessions } from '../../platform/server/serve.ts'

/** The work that start-up still has to do, in words for people; `null` when there is none. */
export interface Readiness {
  waitingFor: string | null
  /** Filling the large demo city goes on behind the running server. */
  demo: { done: number; of: number } | null
}
/** It listens, and does not know yet what is to be filled. */
export const STARTING = '正在启动 Starting'
/** The figures of this process: capability of whoever reads `GET /metrics`. */
const SEES_METRICS = 'system:metrics:view'

export function health(app: FastifyInstance, house: House, sessions: Sessions, readiness: Readiness): void {
  app.get('/lbs/health', async () => ({ code: 200, message: 'ok', data: { lives: true } }))
  app.get('/lbs/ready', async (_, reply) => {
    const data = { waitingFor: readiness.waitingFor, demo: readiness.demo }
    if (readiness.waitingFor) return reply.code(503).header('retry-after', '1').send({ code: 503, message: readiness.waitingFor, data })
    await house.pool.query('select 1').catch(() => {
      throw Unavailable()
    })
    return { code: 200, message: 'ok', data }
  })
  app.get('/metrics', async (request, reply) => {
    const token = request.headers.authorization?.replace(/^Bearer /, '')
    const actor = await sessions.actorOf(token, cookieOf(request.headers.cookie, BOUND_COOKIE))
    if (!actor || actor.locked) throw SignInFirst()
    if (!actor.may.has(SEES_METRICS)) throw NoPermission()
    return reply.header('content-type', registry.contentType).send(await registry.metrics())
  })
}
