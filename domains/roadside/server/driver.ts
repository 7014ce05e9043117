import type { Instant, Of } from '../../../platform/contract/field.ts'
import { normalizePlate } from '../../../platform/contract/plate.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { type AnyStay, billOf, billStay, editStay, isAsked, priceOf, withStay } from '../../parking/server/api.ts'
import { PayState } from '../../parking/contract/stay.ts'
import type { DriverBill } from '../../settlement/contract/scan.ts'
import { freeInWords } from './free.ts'
import { billAt, placeOfStay } from './leaving.ts'

/** Returns the bill for a driver who scanned a code of a street and typed a plate, for `settlement.driverAsks`. */
export async function driverBill(
  tx: Tx,
  { parkCode, plateNo, at }: { parkCode: string; plateNo: string; at: Instant },
): Promise<Of<typeof DriverBill> | undefined> {
  const [stay] = await run<AnyStay>(tx, AT_BERTH, [parkCode, normalizePlate(plateNo)])
  if (!stay) return undefined
  return withStay<Of<typeof DriverBill>, AnyStay>(tx, stay, async (now) => {
    const place = await placeOfStay(tx, now)
    const until = now.exitTime ?? at
    const due = await billAt(tx, place, now, until)
    // An amount asked before that is free by now is no longer asked.
    const asked = due && (isAsked(now, due) || now.payState === PayState.toPay) ? await editStay(tx, now, await billStay(tx, now, due, at)) : now
    const priced = due && (await priceOf(tx, place.park, asked, until))
    return billOf(tx, asked, priced, at, await freeInWords(tx, place, asked, priced?.quote, until))
  })
}
const AT_BERTH = {
  sql: `select s.* from parking.present p join parking.stay s on s.id = p.stay_id
    where p.enterprise_id = scope_enterprise() and p.park_code = $1 and p.plate_no = $2 and s.seat_code is not null
    order by s.entry_time desc limit 1`,
}
