import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import type { Instant, Of } from '../../../platform/contract/field.ts'
import { dayOf, instantAt, msOf, startOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { NoPermission, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { addRow, lockRow, onlyFields, rowsOver, setRow } from '../../../platform/server/row.ts'
import { type Actor, serve } from '../../../platform/server/serve.ts'
import { chargingMoneyOf, chargingWallOf } from '../../charging/server/api.ts'
import { secretHash } from '../../identity/server/api.ts'
import { hoursOf, lastMoves, pointsOf } from '../../parking/server/api.ts'
import { districtsOf, flowOf, overviewOf, resourcesOf } from '../../roadside/server/api.ts'
import { takingsBetween } from '../../settlement/server/api.ts'
import { order } from '../../settlement/contract/order.ts'
import { holdRegion } from '../../system/server/api.ts'
import { StreetFigures, wall, WallLink, wallLink, wallLinkSearch, WallScreen, type WallMoney, type WallSnapshot } from '../contract/wall.ts'
import './tables.ts'

const links = listOver(WallLink, 'dashboard.wallLinkOf', wallLinkSearch)
const rows = rowsOver(WallLink, 'dashboard.wallLink', ['revokedAt'])
const UnknownParks = refusal(
  'dashboard.unknown-parks',
  40942,
  '没有这些车场，或您看不到：{codes}；请核对车场',
  'These car parks do not exist or are out of your scope: {codes}. Check the car parks',
  422,
)
const DAY_MS = 24 * 3_600_000
const MONEY = order.list.needs

const managing = serve(wallLink, {
  query: ({ tx, input }) => page(tx, links, input),

  async add({ tx, input: { days, parkCodes = [], regionCode, money = false, ...link }, actor, at }) {
    // Nobody shows what they may not see.
    if (money && !actor.may.has(MONEY)) throw NoPermission()
    if (regionCode) await holdRegion(tx, regionCode)
    const token = randomBytes(32).toString('base64url')
    const { id } = await addRow(tx, rows, {
      ...link,
      screens: [...new Set(link.screens)],
      parkCodes: await parksShown(tx, actor, parkCodes),
      regionCode: regionCode ?? null,
      money,
      tokenHash: secretHash(token),
      makerName: actor.userName,
      expiresAt: instantAt(msOf(at) + days * DAY_MS),
    })
    return { id, token }
  },

  async revoke({ tx, input, actor, at }) {
    const found = await lockRow(tx, rows, input)
    if (found.revokedAt === null) await setRow(tx, rows, found, { revokedAt: at, revokedBy: actor.userName }, at)
  },
})
/** Those that were chosen, otherwise all that the maker sees. @throws UnknownParks */
async function parksShown(tx: Tx, { scope }: Actor, chosen: readonly string[]): Promise<string[] | null> {
  if (chosen.length === 0) return scope.parks && [...scope.parks]
  const known = new Set((await pointsOf(tx, {})).map(({ parkCode }) => parkCode))
  const unknown = chosen.filter((code) => !known.has(code))
  if (unknown.length > 0) throw UnknownParks({ codes: unknown.join(', ') })
  return [...new Set(chosen)]
}

const shown = serve(wall, {
  async snapshot({ tx, actor, at }) {
    const link = await find(tx, links, actor.userId)
    if (!link) throw NotFound()
    const { name, screens, rotateSec, expiresAt } = link
    const shows = (screen: (typeof screens)[number]) => screens.includes(screen)
    const street = shows(WallScreen.roadside) ? await overviewOf(tx, {}, at) : null
    return {
      ...{ name, screens, rotateSec, expiresAt, at },
      parks: shows(WallScreen.parking) ? await pointsOf(tx, {}) : null,
      flow: shows(WallScreen.parking) ? await hoursOf(tx, at) : null,
      moves: shows(WallScreen.parking) ? await lastMoves(tx, at) : null,
      street: street && (await streetAt(tx, street, at)),
      charging: shows(WallScreen.charging) ? await chargingWallOf(tx, at) : null,
      money: link.money
        ? {
            parks: shows(WallScreen.parking) ? taken(await takingsBetween(tx, startOf(dayOf(at)), at)) : null,
            street: street && streetMoney(street),
            charging: shows(WallScreen.charging) ? await chargingMoneyOf(tx, at) : null,
          }
        : null,
    }
  },
})
type Street = NonNullable<Of<typeof WallSnapshot>['street']>
async function streetAt(tx: Tx, overview: Awaited<ReturnType<typeof overviewOf>>, at: Instant): Promise<Street> {
  const [flow, resources, districts] = await Promise.all([flowOf(tx, {}, at), resourcesOf(tx, {}), districtsOf(tx, {})])
  return { overview: figures(overview), flow, resources, districts }
}
const figures = onlyFields(StreetFigures)
type Money = Of<typeof WallMoney>
const taken = ({ receivableFen, netFen }: NonNullable<Money['parks']>) => ({ receivableFen, netFen })
const streetMoney = ({ receivableFen, paidFen, arrearsFen }: NonNullable<Money['street']>) => ({ receivableFen, paidFen, arrearsFen })
export const calls = [...managing, ...shown]

interface Behind {
  id: string | null
  name: string
  enterprise: number
  parks: string[] | null
}
/** A region of which any enterprise's wall is, that still shows, stays: the answer to `system.regionHeld`. */
export async function wallsHold(tx: Tx, { code }: { code: string }): Promise<{ zh: string; en: string } | undefined> {
  const [found] = await run<{ used: boolean }>(tx, { sql: 'select dashboard.region_is_used($1) as used' }, [code])
  return found?.used ? { zh: '有大屏链接显示该区划', en: 'a wall link shows this region' } : undefined
}

/** A wall sees figures of its parks, and of a region of those that lie in it now. It is nobody, and may do nothing else. */
export async function wallBehind(pool: pg.Pool, token: string): Promise<Actor | undefined> {
  const { rows: found } = await pool.query<Behind>({
    name: 'wall_behind',
    text: 'select id, name, enterprise, parks from dashboard.wall_behind($1)',
    values: [secretHash(token)],
  })
  const [link] = found
  if (!link?.id) return undefined
  const { id, name, enterprise, parks } = link
  return { userId: id, userName: name, enterprise, may: new Set(), scope: { enterprise, parks, guest: `wall:${id}` }, sessionId: id, bound: false }
}
