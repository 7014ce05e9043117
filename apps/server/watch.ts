import type { FastifyInstance } from 'fastify'
import { timing } from '../../platform/server/metrics.ts'

const seconds = timing('kerbline_http_seconds', 'Time to answer, by route and status', ['method', 'route', 'status'])
/** Slower than this is worth a line of its own. */
const SLOW_MS = 1_000

/** Every answer is timed; the log has who asked what and how long it took, never what was asked with it: queries hold plates and codes. */
export function watch(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const { method, id, ip } = request
    const route = request.routeOptions.url ?? 'unknown'
    const ms = Math.round(reply.elapsedTime)
    seconds.observe({ method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    const line = { requestId: id, method, route, status: reply.statusCode, ms, ip }
    if (reply.statusCode === 500) request.log.error(line, 'answered')
    else if (ms > SLOW_MS) request.log.warn(line, 'slow')
    else request.log.debug(line, 'answered')
  })
}
