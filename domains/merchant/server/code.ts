import type { Instant } from '../../../platform/contract/field.ts'
import { instantAt, MINUTE_MS, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { NotFound, refusal } from '../../../platform/server/refusal.ts'
import { secret, secretHash } from '../../identity/server/api.ts'
import { couponsToGive } from './questions.ts'

const CodeOver = refusal(
  'merchant.code-over',
  41762,
  '二维码已使用或已过期，请商户重新出示',
  'The code has been used or has expired: ask the merchant for a new one',
)
const GOOD_MS = 5 * MINUTE_MS
/** A code that was scanned or ran out is deleted after this time. */
const FORGOTTEN = '1 day'

interface Wanted {
  mchId: string
  soldId: string
  enterprise: number
  at: Instant
}
/** @throws NotFound for a purchase that is another's, or of which none is left */
export async function makeCode(tx: Tx, { mchId, soldId, enterprise, at }: Wanted) {
  const sale = (await couponsToGive.ask(tx, { mchId, at })).flatMap(({ answer }) => answer).find((one) => one.soldId === soldId)
  if (!sale) throw NotFound()
  const [code, expiresAt] = [secret(), instantAt(msOf(at) + GOOD_MS)]
  await run(
    tx,
    {
      sql: `delete from merchant.code where enterprise_id = scope_enterprise() and mch_id = $1 and expires_at < $2::timestamptz - interval '${FORGOTTEN}'`,
    },
    [mchId, at],
  )
  await run(tx, { sql: 'insert into merchant.code (mch_id, sold_id, code_hash, made_at, expires_at) values ($1, $2, $3, $4, $5)' }, [
    mchId,
    soldId,
    secretHash(code),
    at,
    expiresAt,
  ])
  return { path: `/my/${enterprise}?coupon=${code}#coupons`, name: sale.name, expiresAt }
}
/** Of two that scan the same code, one has it; where the coupon is refused, the code is good still. @throws CodeOver */
export async function takeCode(
  tx: Tx,
  { code, plateNo, at }: { code: string; plateNo: string; at: Instant },
): Promise<{ mchId: string; soldId: string; by: string }> {
  const [taken] = await run<{ mchId: string; soldId: string; by: string }>(tx, TAKE, [secretHash(code), plateNo, at])
  if (!taken) throw CodeOver()
  return taken
}
const TAKE = {
  sql: `update merchant.code c set taken_at = $3, plate_no = $2 from merchant.merchant m
    where c.enterprise_id = scope_enterprise() and c.code_hash = $1 and c.taken_at is null and c.expires_at > $3 and m.enterprise_id = c.enterprise_id and m.id = c.mch_id returning c.mch_id, c.sold_id, m.name as by`,
}
