import type { Fen, Instant, Of } from '../../../platform/contract/field.ts'
import { type Source, sourceOf } from '../../../platform/server/record/known.ts'
import { etc, EtcState } from '../contract/etc.ts'
import { type ArrearsRecord, ArrearsState, ExceptionType } from '../contract/file.ts'
import { record } from '../contract/record.ts'

const ARREARS = '/userCenter/arrearage/record'
type FileRow = Pick<Of<typeof ArrearsRecord>, 'id' | 'arrearsNo' | 'plateNo' | 'state' | 'exceptionType' | 'owedFen' | 'createdAt'>
const FILE =
  'select f.id, f.arrears_no, f.plate_no, f.state, f.exception_type, f.owed_fen, f.created_at from arrears.file f where f.enterprise_id = scope_enterprise()'

interface DeductRow {
  id: string
  deductNo: string
  plateNo: string | null
  etcState: keyof typeof EtcState.entries
  amountFen: Fen
  laneNo: string
  at: Instant
}
const DEDUCT =
  'select d.id, d.deduct_no, d.plate_no, d.etc_state, d.amount_fen, d.lane_no, d.trade_time as at from arrears.etc_deduct d where d.enterprise_id = scope_enterprise()'

export const known: Source[] = [
  sourceOf<FileRow>()({
    name: 'arrears.record',
    label: ['欠费', 'Arrears'],
    needs: record.list.needs,
    by: {
      plate: { sql: `${FILE} and f.plate_no = $1 order by f.created_at desc limit $2` },
      code: {
        sql: `${FILE} and f.id in (select x.id from arrears.record x where x.enterprise_id = scope_enterprise() and x.arrears_no = $1
          union all select y.id from arrears.record y join settlement.order o on o.enterprise_id = y.enterprise_id and o.id = y.order_id where y.enterprise_id = scope_enterprise() and o.order_no = $1)
        limit $2`,
      },
    },
    tell: ({ id, arrearsNo, plateNo, state, exceptionType, owedFen, createdAt }) => {
      const [zh, en] = ArrearsState.entries[state]
      const [oddZh, oddEn] = ExceptionType.entries[exceptionType]
      const odd = exceptionType !== ExceptionType.none
      return {
        key: id,
        title: arrearsNo,
        zh: `${plateNo ?? ''} ${zh}${odd ? `，${oddZh}` : ''}`.trim(),
        en: `${plateNo ?? ''} ${en}${odd ? `, ${oddEn}` : ''}`.trim(),
        at: createdAt,
        amountFen: owedFen,
        path: `${ARREARS}/${id}`,
      }
    },
  }),
  sourceOf<DeductRow>()({
    name: 'arrears.etc_deduct',
    label: ['ETC 扣费', 'ETC deductions'],
    needs: etc.refund.needs,
    by: {
      plate: { sql: `${DEDUCT} and d.plate_no = $1 order by d.trade_time desc limit $2` },
      code: {
        sql: `${DEDUCT} and d.id in (select x.id from arrears.etc_deduct x where x.enterprise_id = scope_enterprise() and x.deduct_no = $1
          union all select y.id from arrears.etc_deduct y join settlement.order o on o.enterprise_id = y.enterprise_id and o.id = y.order_id where y.enterprise_id = scope_enterprise() and o.order_no = $1)
        order by d.trade_time desc limit $2`,
      },
    },
    tell: ({ id, deductNo, plateNo, etcState, amountFen, laneNo, at }) => {
      const [zh, en] = EtcState.entries[etcState]
      return { key: id, title: deductNo, zh: `${plateNo ?? ''} ${laneNo} ${zh}`.trim(), en: `${plateNo ?? ''} ${laneNo} ${en}`.trim(), at, amountFen }
    },
  }),
]
