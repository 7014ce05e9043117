import type { FastifyInstance } from 'fastify'
import { hash } from 'node:crypto'
import { visit } from '../../domains/parking/server/api.ts'
import { scanned } from '../../domains/settlement/server/api.ts'
import type { House } from '../../platform/server/domain.ts'
import type { Limits } from '../../platform/server/call/limits.ts'
import { LIGHT_POLICY, lightPage } from './lightPage.ts'

/** Stands in the built page where it is said what hangs where the code was scanned. */
const PLACE = '__PLACE__'

/**
 * Serves the codes printed on site, `/q/shortCode.edition.signature`: a telephone opens one without a session, and is redirected
 * to its target or shown the bill of its car.
 */
export async function scans(app: FastifyInstance, house: House, limits: Limits): Promise<void> {
  // The page on which a driver sees what is due and pays it.
  const page = await lightPage(app, 'driver', '/q/')
  app.get<{ Params: { code: string } }>('/q/:code', { exposeHeadRoute: false }, async (request, reply) => {
    limits.scan(request.ip)
    const found = await visit(house, request.params.code)
    reply.header('cache-control', 'no-store').header('content-type', 'text/html; charset=utf-8')
    if (!found) return reply.code(404).header('content-security-policy', POLICY).send(BAD)
    if (found.leadsTo) return reply.redirect(found.leadsTo)
    const { parkName, target, placeName } = found
    const company = await companyOf(house, request.params.code)
    if (!page) return reply.header('content-security-policy', POLICY).send(withoutPage(parkName))
    return reply
      .header('content-security-policy', LIGHT_POLICY)
      .send(page().replace(PLACE, () => escaped(JSON.stringify({ parkName, target, placeName, company }))))
  })
}

/** The enterprise whose page a driver may open from there. */
async function companyOf(house: House, code: string): Promise<number | null> {
  const [place] = await house.reading(NOBODYS, (tx) => scanned.ask(tx, { code }))
  return place?.answer.enterpriseId ?? null
}
/** The enterprise of a scan: a person who scans belongs to none. */
const NOBODYS = 0

const STYLE = `body{margin:0;min-height:100vh;display:grid;place-content:center;text-align:center;font:16px/1.6 system-ui,sans-serif;color:#1f2329;background:#fff;padding:24px;box-sizing:border-box}h1{font-size:22px;margin:0}p{margin:8px 0 0}.soft{color:#5b616b}`
const POLICY = `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; frame-ancestors 'none'; base-uri 'none'`
/** A person who scans may read either language, and has chosen none here. */
const pageWith = (title: string, body: string) =>
  `<!doctype html><html lang="zh"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${STYLE}</style></head><body><main>${body}</main></body></html>`
const BAD = pageWith(
  '二维码无效',
  `<h1>二维码无效</h1><p class="soft">请重新扫描现场的二维码，或联系值班人员</p><h1 lang="en">This code is not valid</h1><p class="soft" lang="en">Scan the code on site again, or ask the attendant</p>`,
)
/** The page was not built on this server. */
const withoutPage = (parkName: string) =>
  pageWith(
    escaped(parkName),
    `<h1>${escaped(parkName)}</h1><p class="soft">请联系值班人员缴费</p><p class="soft" lang="en">Please ask the attendant</p>`,
  )
export const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
