import type { Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import type { Notice } from '../../charging/contract/monitor.ts'

interface Asked {
  connectorId: string | null
  orderNo: string | null
  platformId: string | null
  atFrom: Instant | null
  atTo: Instant | null
  atMost: number
}
/** What partners were told and what they told us: the answer to `charging.noticesOf`. */
export const noticesOfPartners = (tx: Tx, { connectorId, orderNo, platformId, atFrom, atTo, atMost }: Asked): Promise<Of<typeof Notice>[]> =>
  run<Of<typeof Notice>>(tx, { sql: LINES }, [connectorId, orderNo, platformId, atFrom, atTo, atMost])
const LINES = `select created_at as at, null::timestamptz as device_time, way as direction, 'T/CEC 102' as protocol, interface as action, left(said, 500) as summary, coalesce(ret::text, '') as result, id::text as frame_id
  from roaming.partner_message where enterprise_id = scope_enterprise() and ($1::text is null or connector_id = $1) and ($2::text is null or order_no = $2) and ($3::text is null or platform_id::text = $3)
    and ($4::timestamptz is null or created_at >= $4) and ($5::timestamptz is null or created_at <= $5) order by created_at desc limit $6`
