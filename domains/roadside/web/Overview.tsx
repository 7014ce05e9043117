import { useQuery } from '@tanstack/react-query'
import { Tooltip } from 'antd'
import { asks } from '../../../platform/web/ask.ts'
import { cityDay, dayStart, percent, time } from '../../../platform/web/format.ts'
import { type Criteria, listAt } from '../../../platform/web/listAt.ts'
import { Tile, Tiles } from '../../../platform/web/Tiles.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { Money } from '../../../platform/web/value.tsx'
import { ParkType } from '../../parking/contract/park.ts'
import { PayState, SessionStatus } from '../../parking/contract/stay.ts'
import { Occupy } from '../contract/berth.ts'
import { screen } from '../contract/screen.ts'

const AGAIN_MS = 10_000
const BERTHS = '/assetManage/roadParking/berth'
/** Bays of parks stand in the same list. */
const STREET = { pType: ParkType.roadside }
const STOPS = '/operation/illegalStop'
const RECORDS = '/operation/record/roadParking/roadParkingRecord'
const HOVER_OR_TAP: ('hover' | 'click')[] = ['hover', 'click']
const PAY_RATE: Text = [
  '缴费率：今日驶离且产生费用的停车中，已缴清的笔数占比；免费的不计，欠费和待缴的算未缴',
  'Of the stays that ended today and cost something, the share that is paid in full. Free stays are not counted; what is owed or still to be paid counts as unpaid',
]
/** What the street looks like now and brought in today; each figure opens what it counts. */
export function Overview({ parkCode }: { parkCode?: string | undefined }) {
  const say = useText()
  const { data } = useQuery({ ...asks(screen.overview, parkCode ? { parkCode } : {}, { quiet: true }), refetchInterval: AGAIN_MS })
  const to = (address: string, more: Criteria) => listAt(address, { parkCode, ...more })
  const today = dayStart(cityDay())
  return (
    <>
      <Tiles label={['路内概况', 'Roadside overview']}>
        <Tile name={['空闲泊位', 'Free berths']} value={data?.free} to={to(BERTHS, { ...STREET, occupy: Occupy.free })}>
          {data && say([`共 ${data.seatTotal}，停用 ${data.disabled}`, `of ${data.seatTotal}, ${data.disabled} disabled`])}
        </Tile>
        <Tile name={['占用', 'Occupied']} value={data?.occupied} to={to(BERTHS, { ...STREET, occupy: Occupy.occupied })}>
          {data && say([`今日驶入 ${data.arrivals}，驶离 ${data.leaves}`, `${data.arrivals} arrived, ${data.leaves} left today`])}
        </Tile>
        <Tile
          name={['异常泊位', 'Abnormal berths']}
          value={data?.abnormal}
          to={to(BERTHS, { ...STREET, occupy: Occupy.abnormal })}
          tone={data && data.abnormal > 0 ? 'error' : false}
        />
        <Tile
          name={['今日实收', 'Paid today']}
          value={data && <Money fen={data.paidFen} />}
          to={to(RECORDS, { leftAtFrom: today, status: SessionStatus.left })}
        >
          {data && say(['应收', 'Receivable'])} {data && <Money fen={data.receivableFen} />}
        </Tile>
        <Tile
          name={['今日欠费', 'Arrears today']}
          value={data && <Money fen={data.arrearsFen} />}
          to={to(RECORDS, { leftAtFrom: today, status: SessionStatus.left, payState: PayState.owed })}
        >
          {data && data.payRate !== null && (
            <Tooltip title={say(PAY_RATE)} trigger={HOVER_OR_TAP}>
              <span>
                {say([
                  `缴费率 ${percent(data.payRate)}（${data.orders} 笔已缴 ${data.paidOrders}）`,
                  `${percent(data.payRate)} paid (${data.paidOrders} of ${data.orders})`,
                ])}
              </span>
            </Tooltip>
          )}
        </Tile>
        <Tile name={['今日违停', 'Illegal stops today']} value={data?.illegal} to={to(STOPS, { firstAtFrom: today })} />
      </Tiles>
      {data && (
        <p className="faint road-at">
          {say(['统计时间', 'As of'])} {time(data.at)}
        </p>
      )}
    </>
  )
}
