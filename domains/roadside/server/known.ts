import type { Fen, Instant, Of } from '../../../platform/contract/field.ts'
import { type Source, sourceOf } from '../../../platform/server/record/known.ts'
import { PayState, SessionStatus, StayPlace } from '../../parking/contract/stay.ts'
import { berth, BindAction, Detector, Occupy } from '../contract/berth.ts'
import { illegalStop, IllegalState, IllegalType } from '../contract/illegalStop.ts'
import { type RoadStay, roadStay } from '../contract/roadStay.ts'

const STAYS = '/operation/record/roadParking/roadParkingRecord'
const PRESENT = '/operation/record/roadParking/present'
const BERTHS = '/assetManage/roadParking/berth'
const ILLEGAL = '/operation/illegalStop'

type StayRow = Pick<Of<typeof RoadStay>, 'id' | 'parkCode' | 'seatCode' | 'plateNo' | 'status' | 'payState' | 'payableFen'> & { at: Instant }
const STAY = 'select s.id, s.park_code, s.seat_code, s.plate_no, s.status, s.pay_state, s.payable_fen, s.seen_at as at from'

interface BerthRow {
  parkCode: string
  seatCode: string
  berthNo: string
  parkName: string
  sectionName: string | null
  occupy: keyof typeof Occupy.entries
  plateNo: string | null
  arrivedAt: Instant | null
}
interface BindingRow {
  id: string
  parkCode: string
  seatCode: string
  deviceNo: string
  kind: keyof typeof Detector.entries
  action: keyof typeof BindAction.entries
  fromAt: Instant
}
const BINDING =
  'select b.id, b.park_code, b.seat_code, b.device_no, b.kind, b.action, b.from_at from roadside.binding b where b.enterprise_id = scope_enterprise()'
interface IllegalRow {
  id: string
  illegalNo: string
  plateNo: string | null
  place: string
  type: keyof typeof IllegalType.entries
  state: keyof typeof IllegalState.entries
  firstAt: Instant
}
const STOP =
  'select i.id, i.illegal_no, i.plate_no, i.place, i.type, i.state, i.first_at from roadside.illegal_stop i where i.enterprise_id = scope_enterprise()'

const berthPath = ({ parkCode, seatCode }: { parkCode: string; seatCode: string }) => `${BERTHS}?${new URLSearchParams({ parkCode, seatCode })}`

export const known: Source[] = [
  sourceOf<StayRow & { payableFen: Fen }>()({
    name: 'roadside.stay',
    label: ['路内停车', 'Roadside stays'],
    needs: roadStay.roadOut.needs,
    by: {
      plate: {
        sql: `${STAY} parking.stay s where s.enterprise_id = scope_enterprise() and s.third_platform is null and s.plate_no = $1 and s.seat_code is not null and s.p_type = ${StayPlace.street} order by s.seen_at desc, s.id desc limit $2`,
      },
      code: {
        sql: `select * from (${STAY} roadside.berth b join parking.stay s on s.enterprise_id = b.enterprise_id and s.park_code = b.park_code and s.seat_code = b.seat_code
            where b.enterprise_id = scope_enterprise() and b.seat_code = $1 and s.seat_code is not null and s.p_type = ${StayPlace.street}
          union ${STAY} settlement.order o join parking.stay s on s.id = o.stay_id where o.enterprise_id = scope_enterprise() and o.order_no = $1 and s.p_type = ${StayPlace.street}) s
        order by at desc, id desc limit $2`,
      },
    },
    tell: (row) => {
      const [zh, en] = SessionStatus.entries[row.status]
      const [payZh, payEn] = PayState.entries[row.payState]
      const { id, seatCode, plateNo, at, payableFen, status } = row
      const path = `${status === SessionStatus.left ? STAYS : PRESENT}/${id}`
      const title = plateNo ?? seatCode
      return { key: id, title, zh: `${seatCode}，${zh}，${payZh}`, en: `${seatCode}, ${en}, ${payEn}`, at, amountFen: payableFen, path }
    },
  }),
  sourceOf<BerthRow>()({
    name: 'roadside.berth',
    label: ['泊位', 'Berths'],
    needs: berth.find.needs,
    by: {
      code: {
        sql: `select b.park_code, b.seat_code, b.berth_no, b.park_name, b.section_name, b.occupy, b.plate_no, b.arrived_at from roadside.berth_now b
        where b.enterprise_id = scope_enterprise() and b.seat_code = $1 limit $2`,
      },
    },
    tell: (row) => {
      const [zh, en] = Occupy.entries[row.occupy]
      const place = [row.berthNo, row.parkName, row.sectionName].filter(Boolean).join(' ')
      const by = row.plateNo ? ` ${row.plateNo}` : ''
      return {
        key: `${row.parkCode}/${row.seatCode}`,
        title: row.seatCode,
        zh: `${place}，${zh}${by}`,
        en: `${place}, ${en}${by}`,
        at: row.arrivedAt,
        path: berthPath(row),
      }
    },
  }),
  sourceOf<BindingRow>()({
    name: 'roadside.binding',
    label: ['泊位绑定', 'Berth bindings'],
    needs: berth.find.needs,
    by: {
      code: {
        sql: `select * from (${BINDING} and b.device_no = $1 union ${BINDING} and b.seat_code = $1) b order by from_at desc, id desc limit $2`,
      },
    },
    tell: (row) => {
      const [zh, en] = BindAction.entries[row.action]
      const [kindZh, kindEn] = Detector.entries[row.kind]
      return {
        key: row.id,
        title: row.deviceNo,
        zh: `${row.seatCode}，${kindZh}，${zh}`,
        en: `${row.seatCode}, ${kindEn}, ${en}`,
        at: row.fromAt,
        path: berthPath(row),
      }
    },
  }),
  sourceOf<IllegalRow>()({
    name: 'roadside.illegal_stop',
    label: ['违停', 'Illegal stops'],
    needs: illegalStop.query.needs,
    by: {
      plate: { sql: `${STOP} and i.plate_no = $1 order by i.last_at desc limit $2` },
      code: { sql: `${STOP} and i.illegal_no = $1 limit $2` },
    },
    tell: ({ id, illegalNo, plateNo, place, type, state, firstAt }) => {
      const [zh, en] = IllegalState.entries[state]
      const [ofZh, ofEn] = IllegalType.entries[type]
      const of = `${plateNo ?? ''} ${place}`.trim()
      return { key: id, title: illegalNo, zh: `${of}，${ofZh}，${zh}`, en: `${of}, ${ofEn}, ${en}`, at: firstAt, path: `${ILLEGAL}/${id}` }
    },
  }),
]
