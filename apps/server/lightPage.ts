import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { DIST, fresh, YEAR_S } from './pages.ts'

/** A page with a bundle of its own, and nothing of the console's: for telephones on a weak signal. Nothing where it was not built. */
export async function lightPage(app: FastifyInstance, name: string, under: string): Promise<(() => string) | undefined> {
  const folder = path.join(DIST, name)
  if (!existsSync(path.join(folder, 'index.html'))) return undefined
  await app.register(fastifyStatic, {
    root: path.join(folder, 'assets'),
    prefix: `${under}assets/`,
    decorateReply: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply) => void reply.header('cache-control', `public, max-age=${YEAR_S}, immutable`),
  })
  return fresh(path.join(folder, 'index.html'))
}
export const LIGHT_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
