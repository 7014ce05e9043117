import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { createRequire } from 'node:module'
import path from 'node:path'
import { openapiOf } from '../../platform/server/call/openapi.ts'
import type { Served } from '../../platform/server/serve.ts'

/** The API document, and a page to read and try it: a domain at a time, because a browser takes a quarter of a minute to lay out all calls at once. */
export function reference(app: FastifyInstance, served: Served): void {
  giveJson(app, '/lbs/openapi.json', served)
  const domains = [...Map.groupBy(served, ({ call }) => call.id.slice(0, call.id.indexOf('.')))].sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [domain, own] of domains) giveJson(app, partOf(domain), own)
  const swagger = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  void app.register(fastifyStatic, { root: swagger, prefix: '/lbs/docs/assets/', decorateReply: false, index: false })
  app.get('/lbs/docs', async (_, reply) =>
    reply.headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY }).send(PAGE),
  )
  const start = startOf(domains.map(([name]) => ({ name, url: partOf(name) })))
  app.get('/lbs/docs/start.js', async (_, reply) => reply.header('content-type', 'text/javascript; charset=utf-8').send(start))
}
const partOf = (domain: string) => `/lbs/docs/${domain}.json`
/** As bytes, made once: of a text every reader would be given a copy, and the slow ones would keep theirs. */
function giveJson(app: FastifyInstance, address: string, served: Served): void {
  const bytes = documentOf(address, served)
  app.get(address, async (_, reply) => reply.header('content-type', 'application/json; charset=utf-8').send(bytes))
}
const made = new Map<string, { of: Served; bytes: Buffer }>()
/** Several servers of one process serve the same calls, and making the documents takes a third of a second. */
function documentOf(address: string, served: Served): Buffer {
  const known = made.get(address)
  if (known?.of.length === served.length && known.of.every(({ call }, at) => call === served[at]!.call)) return known.bytes
  const bytes = Buffer.from(JSON.stringify(openapiOf(served)))
  made.set(address, { of: served, bytes })
  return bytes
}
// The reference page's own library sets inline styles; it shows no data of anybody, and nothing else is served under this policy.
const POLICY = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'"
const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Kerbline API</title>
<link rel="stylesheet" href="/lbs/docs/assets/swagger-ui.css"><style>.swagger-ui .topbar .link { display: none }</style></head><body><div id="reference"></div>
<script src="/lbs/docs/assets/swagger-ui-bundle.js"></script><script src="/lbs/docs/assets/swagger-ui-standalone-preset.js"></script><script src="/lbs/docs/start.js"></script></body></html>`
const startOf = (urls: readonly { name: string; url: string }[]) =>
  `SwaggerUIBundle({ urls: ${JSON.stringify(urls)}, dom_id: '#reference', docExpansion: 'none', filter: true, presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset], layout: 'StandaloneLayout' })`
