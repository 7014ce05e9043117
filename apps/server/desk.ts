import type { FastifyInstance } from 'fastify'
import { LIGHT_POLICY, lightPage } from './lightPage.ts'

/** Where merchants sign in and give coupons: the same page for all of them. */
export async function desk(app: FastifyInstance): Promise<void> {
  const page = await lightPage(app, 'merchant', '/m/')
  app.get('/m/', async (_, reply) => reply.redirect('/m'))
  if (!page) return
  app.get('/m', async (_, reply) =>
    reply.headers({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store', 'content-security-policy': LIGHT_POLICY }).send(page()),
  )
}
