import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { createRequire } from 'node:module'
import path from 'node:path'
import { openapiOf } from '../../platform/server/openapi.ts'
import type { Served } from '../../platform/server/serve.ts'

/** The API document, and a page to read and try it. */
export function reference(app: FastifyInstance, served: Served): void {
  // Bytes, made once: of a text every reader would be given a copy, and the slow ones would keep theirs.
  const document = Buffer.from(JSON.stringify(openapiOf(served)))
  app.get('/lbs/openapi.json', async (_, reply) => reply.header('content-type', 'application/json; charset=utf-8').send(document))
  const swagger = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  void app.register(fastifyStatic, { root: swagger, prefix: '/lbs/docs/assets/', decorateReply: false, index: false })
  app.get('/lbs/docs', async (_, reply) =>
    reply.headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY }).send(PAGE),
  )
  app.get('/lbs/docs/start.js', async (_, reply) => reply.header('content-type', 'text/javascript; charset=utf-8').send(START))
}
// The reference page's own library sets inline styles; it shows no data of anybody, and nothing else is served under this policy.
const POLICY = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'"
const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Kerbline API</title>
<link rel="stylesheet" href="/lbs/docs/assets/swagger-ui.css"></head><body><div id="reference"></div>
<script src="/lbs/docs/assets/swagger-ui-bundle.js"></script><script src="/lbs/docs/start.js"></script></body></html>`
const START = `SwaggerUIBundle({ url: '/lbs/openapi.json', dom_id: '#reference', docExpansion: 'none', filter: true })`
