import { useQuery } from '@tanstack/react-query'
import { asks } from '../../../platform/web/ask.ts'
import { time } from '../../../platform/web/format.ts'
import { Tile, Tiles } from '../../../platform/web/Tiles.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Money } from '../../../platform/web/value.tsx'
import { ParkType } from '../../parking/contract/park.ts'
import { PayState } from '../../parking/contract/stay.ts'
import { Occupy } from '../contract/berth.ts'
import { screen } from '../contract/screen.ts'

const AGAIN_MS = 10_000
const BERTHS = '/assetManage/roadParking/berth'
/** Bays of parks stand in the same list. */
const STREET = { pType: String(ParkType.roadside) }
const RECORDS = '/operation/record/roadParking/roadParkingRecord'
/** What the street looks like now and brought in today; each figure opens what it counts. */
export function Overview({ parkCode }: { parkCode?: string | undefined }) {
  const say = useText()
  const { data } = useQuery({ ...asks(screen.overview, parkCode ? { parkCode } : {}, { quiet: true }), refetchInterval: AGAIN_MS })
  const to = (address: string, more: Record<string, string>) => `${address}?${new URLSearchParams({ ...(parkCode && { parkCode }), ...more })}`
  return (
    <>
      <Tiles label={['路内概况', 'Roadside overview']}>
        <Tile name={['空闲泊位', 'Free berths']} value={data?.free} to={to(BERTHS, { ...STREET, occupy: String(Occupy.free) })}>
          {data && say([`共 ${data.seatTotal}，停用 ${data.disabled}`, `of ${data.seatTotal}, ${data.disabled} disabled`])}
        </Tile>
        <Tile name={['占用', 'Occupied']} value={data?.occupied} to={to(BERTHS, { ...STREET, occupy: String(Occupy.occupied) })}>
          {data && say([`今日驶入 ${data.arrivals}，驶离 ${data.leaves}`, `${data.arrivals} arrived, ${data.leaves} left today`])}
        </Tile>
        <Tile
          name={['异常泊位', 'Abnormal berths']}
          value={data?.abnormal}
          to={to(BERTHS, { ...STREET, occupy: String(Occupy.abnormal) })}
          tone={data && data.abnormal > 0 ? 'error' : false}
        />
        <Tile name={['今日实收', 'Paid today']} value={data && <Money fen={data.paidFen} />} to={to(RECORDS, {})}>
          {data && say(['应收', 'Receivable'])} {data && <Money fen={data.receivableFen} />}
        </Tile>
        <Tile
          name={['今日欠费', 'Arrears today']}
          value={data && <Money fen={data.arrearsFen} />}
          to={to(RECORDS, { payState: String(PayState.owed) })}
        >
          {data?.payRate !== null && data?.payRate !== undefined && say([`缴费率 ${data.payRate / 10}%`, `${data.payRate / 10}% paid`])}
        </Tile>
        <Tile name={['今日违停', 'Illegal stops']} value={data?.illegal} to="/operation/illegalStop" />
      </Tiles>
      {data && (
        <p className="faint road-at">
          {say(['统计时间', 'As of'])} {time(data.at)}
        </p>
      )}
    </>
  )
}
