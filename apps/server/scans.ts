import type { FastifyInstance } from 'fastify'
import { hash } from 'node:crypto'
import { visit, type Visited } from '../../domains/parking/server/api.ts'
import type { House } from '../../platform/server/domain.ts'
import type { Limits } from '../../platform/server/limits.ts'

/** What is printed on site, `/q/shortCode.edition.signature`: a telephone opens it without a session and is sent on, or told what it has in front of it. */
export function scans(app: FastifyInstance, house: House, limits: Limits): void {
  app.get<{ Params: { code: string } }>('/q/:code', { exposeHeadRoute: false }, async (request, reply) => {
    limits.scan(request.ip)
    const found = await visit(house, request.params.code)
    reply.header('cache-control', 'no-store')
    if (found?.leadsTo) return reply.redirect(found.leadsTo)
    return reply
      .code(found ? 200 : 404)
      .headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY })
      .send(found ? good(found) : BAD)
  })
}

const STYLE = `body{margin:0;min-height:100vh;display:grid;place-content:center;text-align:center;font:16px/1.6 system-ui,sans-serif;color:#1f2329;background:#fff;padding:24px;box-sizing:border-box}h1{font-size:22px;margin:0}p{margin:8px 0 0}.soft{color:#5b616b}`
const POLICY = `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; frame-ancestors 'none'; base-uri 'none'`
/** Whoever scans may read either language, and has set none here. */
const pageWith = (title: string, body: string) =>
  `<!doctype html><html lang="zh"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style></head><body><main>${body}</main></body></html>`
const BAD = pageWith(
  '二维码无效',
  `<h1>二维码无效</h1><p class="soft">请重新扫描现场的二维码，或联系值班人员</p><h1 lang="en">This code is not valid</h1><p class="soft" lang="en">Scan the code on site again, or ask the attendant</p>`,
)
const good = ({ parkName, targetCode }: Visited) =>
  pageWith(
    '二维码有效',
    `<h1>${escaped(parkName)}</h1>${targetCode ? `<p>${escaped(targetCode)}</p>` : ''}<p class="soft">二维码有效，尚未开通线上服务，请联系值班人员</p><p class="soft" lang="en">This code is valid. Nothing can be done online here yet; please ask the attendant</p>`,
  )
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
