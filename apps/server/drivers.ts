import type { FastifyInstance } from 'fastify'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { doorOf } from '../../domains/owner/server/api.ts'
import type { House } from '../../platform/server/domain.ts'
import type { Limits } from '../../platform/server/call/limits.ts'
import { NotFound } from '../../platform/server/refusal.ts'
import { LIGHT_POLICY } from './lightPage.ts'
import { DIST, fresh } from './pages.ts'
import { escaped } from './scans.ts'

const PAGE = path.join(DIST, 'driver', 'mine.html')
/** Stands in the built page where it is said whose door it is. */
const DOOR = '__DOOR__'
const COMPANY = /^[1-9]\d{0,6}$/

/** A driver's own pages with a company, `/my/<its number>`: who they are, the page asks itself. Its parts lie where those of the page behind a code do. */
export function drivers(app: FastifyInstance, house: House, limits: Limits): void {
  alike(app, limits, '/evaluate/:code', RATE)
  alike(app, limits, '/repair/:code', REPAIR)
  if (!existsSync(PAGE)) return
  const page = fresh(PAGE)
  app.get<{ Params: { company: string } }>('/my/:company', { exposeHeadRoute: false }, async (request, reply) => {
    limits.scan(request.ip)
    if (!COMPANY.test(request.params.company)) throw NotFound()
    const company = Number(request.params.company)
    const name = await doorOf(house, company)
    return reply
      .headers({ 'cache-control': 'no-store', 'content-type': 'text/html; charset=utf-8', 'content-security-policy': LIGHT_POLICY })
      .send(page().replace(DOOR, () => escaped(JSON.stringify({ company, name }))))
  })
}

const RATE = path.join(DIST, 'driver', 'rate.html')
const REPAIR = path.join(DIST, 'driver', 'repair.html')
/** Where a customer rates an order, `/evaluate/<what they were sent>`, and where a device is reported, `/repair/<its code>`. The page is the same for every link: whether it is good, the page asks itself. */
function alike(app: FastifyInstance, limits: Limits, address: string, file: string): void {
  if (!existsSync(file)) return
  const page = fresh(file)
  app.get(address, { exposeHeadRoute: false }, async (request, reply) => {
    limits.scan(request.ip)
    return reply
      .headers({ 'cache-control': 'no-store', 'content-type': 'text/html; charset=utf-8', 'content-security-policy': LIGHT_POLICY })
      .send(page())
  })
}
