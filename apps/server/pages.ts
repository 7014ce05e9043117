import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import type { MapGround } from '../../platform/server/start/config.ts'

export const DIST = path.resolve(import.meta.dirname, '../../dist')
/** Names of assets hold their content's hash: they never change. */
export const YEAR_S = 31_536_000
/** Stands in the built page where the style nonce goes. */
const NONCE = '__NONCE__'

/** Stands in the built page where it is said which map lies under things. */
const MAP = '__MAP__'
const textOf = (map: MapGround | undefined) => (map ? JSON.stringify(map).replaceAll('&', '&amp;').replaceAll('"', '&quot;') : '')

/** The console: every address below /dist/ that is no file is the page itself, which finds its way. */
export async function pages(app: FastifyInstance, map?: MapGround): Promise<void> {
  app.get('/', async (_, reply) => reply.redirect('/dist/'))
  app.get('/dist', async (_, reply) => reply.redirect('/dist/'))
  app.get('/favicon.ico', async (_, reply) => reply.code(204).send())
  if (!existsSync(path.join(DIST, 'index.html'))) return
  await app.register(fastifyStatic, {
    root: path.join(DIST, 'assets'),
    prefix: '/dist/assets/',
    decorateReply: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply) => void reply.header('cache-control', `public, max-age=${YEAR_S}, immutable`),
  })
  const page = fresh(path.join(DIST, 'index.html'))
  app.get('/dist/*', async (_, reply) => {
    const nonce = randomBytes(16).toString('base64')
    return reply
      .headers({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store', 'content-security-policy': policyWith(nonce, map) })
      .send(
        page()
          .replaceAll(NONCE, nonce)
          .replace(MAP, () => textOf(map)),
      )
  })
}

/** A file's text, read again when a new release has replaced it. */
export function fresh(file: string): () => string {
  let read = { at: 0, text: '' }
  return () => {
    const at = statSync(file).mtimeMs
    if (at !== read.at) read = { at, text: readFileSync(file, 'utf8') }
    return read.text
  }
}

const policyWith = (nonce: string, map?: MapGround) => {
  const ground = map ? ` ${new URL(map.address).origin}` : ''
  return [
    "default-src 'self'",
    `script-src 'self'`,
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data: blob:${ground}`,
    "font-src 'self' data:",
    `connect-src 'self'${ground}`,
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
