import { useQuery } from '@tanstack/react-query'
import { Tooltip } from 'antd'
import { explained } from '../../../platform/contract/figure.ts'
import { asks } from '../../../platform/web/ask.ts'
import { percent, time } from '../../../platform/web/format.ts'
import { Tile, Tiles } from '../../../platform/web/draw/Tiles.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Money } from '../../../platform/web/value.tsx'
import { ROAD, ROAD_BERTHS } from '../contract/figures.ts'
import { screen } from '../contract/screen.ts'

const AGAIN_MS = 10_000
const HOVER_OR_TAP: ('hover' | 'click')[] = ['hover', 'click']
/** The street now, and its results of today; each figure opens the records that it counts. */
export function Overview({ parkCode }: { parkCode?: string | undefined }) {
  const say = useText()
  const { data } = useQuery({ ...asks(screen.overview, parkCode ? { parkCode } : {}, { quiet: true }), refetchInterval: AGAIN_MS })
  return (
    <>
      <Tiles label={['路内概况', 'Roadside overview']}>
        <Tile figure={ROAD_BERTHS.free} within={{ parkCode }} value={data?.free}>
          {data && say([`共 ${data.seatTotal}，停用 ${data.disabled}`, `of ${data.seatTotal}, ${data.disabled} disabled`])}
        </Tile>
        <Tile figure={ROAD_BERTHS.occupied} within={{ parkCode }} value={data?.occupied}>
          {data && say([`今日驶入 ${data.arrivals}，驶离 ${data.leaves}`, `${data.arrivals} arrived, ${data.leaves} left today`])}
        </Tile>
        <Tile figure={ROAD_BERTHS.abnormal} within={{ parkCode }} value={data?.abnormal} tone={data && data.abnormal > 0 ? 'error' : false} />
        <Tile figure={ROAD.paidFen} within={{ parkCode }} value={data && <Money fen={data.paidFen} />}>
          {data && say(['应收', 'Receivable'])} {data && <Money fen={data.receivableFen} />}
        </Tile>
        <Tile figure={ROAD.arrearsFen} within={{ parkCode }} value={data && <Money fen={data.arrearsFen} />}>
          {data && data.payRate !== null && (
            <Tooltip title={say(explained(ROAD.payRate))} trigger={HOVER_OR_TAP}>
              <span>
                {say([
                  `缴费率 ${percent(data.payRate)}（${data.orders} 笔已缴 ${data.paidOrders}）`,
                  `${percent(data.payRate)} paid (${data.paidOrders} of ${data.orders})`,
                ])}
              </span>
            </Tooltip>
          )}
        </Tile>
        <Tile figure={ROAD.illegal} within={{ parkCode }} value={data?.illegal} />
      </Tiles>
      {data && (
        <p className="faint road-at">
          {say(['统计时间', 'As of'])} {time(data.at)}
        </p>
      )}
    </>
  )
}
