import type { FastifyInstance } from 'fastify'
import type { House } from '../../platform/server/domain.ts'
import { NoPermission, SignInFirst } from '../../platform/server/refusal.ts'
import { BOUND_COOKIE, cookieOf, fromElsewhere } from '../../platform/server/call/cookies.ts'
import type { Actor, Sessions } from '../../platform/server/serve.ts'

/** A session that ended must lose its channel even if the notification was lost. */
const RECHECK_MS = 60_000
/** A page only listens; more than a sign of life from it is refused. */
const SENT_MAX = 10

/** The catalogue's `message.inner.channel`: what a person may know is derived from the session, never asked for. */
export function realtimeDoor(app: FastifyInstance, house: House, sessions: Sessions): void {
  const admitted = new WeakMap<object, { actor: Actor; again: () => Promise<Actor | undefined> }>()
  app.route<{ Params: { custId: string } }>({
    method: 'GET',
    url: '/lbs/message/innerMessage/channel/:custId',
    async preValidation(request) {
      const { cookie, origin, authorization } = request.headers
      // A page without an origin is not the console either.
      if (origin === 'null' || fromElsewhere(request.headers)) throw NoPermission()
      const token = authorization?.replace(/^Bearer /, '') ?? cookieOf(cookie, 'token')
      // An open page is no activity: whoever walks away from it is signed out in time.
      const again = () => sessions.actorOf(token, cookieOf(cookie, BOUND_COOKIE), { unseen: true })
      const actor = await again()
      if (!actor || actor.locked) throw SignInFirst()
      if (actor.userId !== request.params.custId) throw NoPermission()
      admitted.set(request, { actor, again })
    },
    handler: async (_, reply) => reply.code(426).send({ code: 426, message: 'WebSocket', data: null }),
    wsHandler(socket, request) {
      const { actor, again } = admitted.get(request)!
      let sent = 0
      let lives = true
      const timer = setInterval(() => {
        // Every browser answers a ping by itself: whoever does not has gone, or reads nothing.
        if (!lives) return socket.terminate()
        lives = false
        sent = 0
        socket.ping()
        again().then(
          (still) => (still && !still.locked) || socket.close(4401, 'session'),
          () => {},
        )
      }, RECHECK_MS)
      socket.on('message', () => ++sent > SENT_MAX && socket.close(4008, 'listen'))
      socket.on('pong', () => (lives = true))
      socket.on('close', () => clearInterval(timer))
      house.hub.add(actor, socket)
    },
  })
}
