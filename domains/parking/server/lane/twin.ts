import { lasting } from '../../../../platform/contract/duration.ts'
import type { Instant } from '../../../../platform/contract/field.ts'
import { MINUTE_MS } from '../../../../platform/contract/time.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import type { Tried } from '../../contract/stay.ts'

/** Faster than this from park to park no car gets through a city, not even at night. */
const TOP_KM_PER_MIN = 2
/** Whoever came in longer ago may have driven any distance within one city. */
const LOOK_BACK_MIN = 120
/** Along a straight line; the mean radius of the earth. */
const EARTH_KM = 6371

interface Place {
  lng: number
  lat: number
}
interface Elsewhere extends Place {
  parkCode: string
  name: string
  entryTime: Instant
}

/** The same plate, come into other parks shortly before (or, told of later, shortly after). One round trip, whether there is any or not. */
export const elsewhere = (tx: Tx, { parkCode, plateNo, at }: { parkCode: string; plateNo: string; at: Instant }): Promise<Elsewhere[]> =>
  run<Elsewhere>(tx, ELSEWHERE, [plateNo, parkCode, at, LOOK_BACK_MIN])
const ELSEWHERE = {
  sql: `select p.park_code, p.name, p.lng, p.lat, s.entry_time from parking.present i join parking.stay s on s.id = i.stay_id
    join parking.park p on p.enterprise_id = i.enterprise_id and p.park_code = i.park_code
    where i.enterprise_id = scope_enterprise() and i.plate_no = $1 and i.park_code <> $2 and p.lng is not null and p.lat is not null
      and s.entry_time between $3::timestamptz - make_interval(mins => $4::int) and $3::timestamptz + make_interval(mins => $4::int)`,
}

/**
 * One car in two parks at once is allowed; when it could not have driven from one to the other, two cars carry the plate or an exit was missed
 * (semantics 4). Undefined: nothing of the kind.
 */
export function twinOf(here: { lng: number | null; lat: number | null }, at: Instant, others: readonly Elsewhere[]): Tried | undefined {
  if (here.lng === null || here.lat === null) return undefined
  for (const other of others) {
    const km = kmBetween({ lng: here.lng, lat: here.lat }, other)
    const minutes = Math.abs(Date.parse(at) - Date.parse(other.entryTime)) / MINUTE_MS
    if (minutes * TOP_KM_PER_MIN >= km) continue
    const [far, [zhAgo, enAgo]] = [km.toFixed(1), lasting(Math.round(minutes))]
    return {
      check: TWIN,
      hit: false,
      zh: `疑似套牌或漏识别：${zhAgo}前在 ${far} 公里外的${other.name}入场`,
      en: `Possibly a cloned plate or a missed exit: entered ${other.name}, ${far} km away, ${enAgo} ago`,
    }
  }
  return undefined
}
const TWIN = 19

/** Haversine. */
function kmBetween(a: Place, b: Place): number {
  const rad = (degrees: number) => (degrees * Math.PI) / 180
  const h = Math.sin(rad(b.lat - a.lat) / 2) ** 2 + Math.cos(rad(a.lat)) * Math.cos(rad(b.lat)) * Math.sin(rad(b.lng - a.lng) / 2) ** 2
  return 2 * EARTH_KM * Math.asin(Math.sqrt(h))
}
