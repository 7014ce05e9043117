import { useQuery } from '@tanstack/react-query'
import { Button, Empty } from 'antd'
import { type ReactNode, useState } from 'react'
import { isPlate, normalizePlate } from '../../../platform/contract/plate.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { PageHead } from '../../../platform/web/page/page.tsx'
import { PlateInput } from '../../../platform/web/plate/PlateInput.tsx'
import { Failed } from '../../../platform/web/page/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Tile, Tiles } from '../../../platform/web/draw/Tiles.tsx'
import { Money, Plate, State, Until } from '../../../platform/web/value.tsx'
import { ParkSelect } from '../../parking/web/api/names.tsx'
import { coupon, CouponState, Verdict } from '../contract/coupon.ts'
import { CAR_COUPONS } from '../contract/figures.ts'
import { Face } from './names.tsx'
import './coupon.css'

/** Lists a car's coupons in the order in which its exit would choose, and why each one is taken or not. */
export function CarCoupons({ pages }: { pages: ReactNode }) {
  const say = useText()
  const [typed, setTyped] = useState('')
  const [asked, ask] = useState<string>()
  const [parkCode, setPark] = useState<string>()
  const plateNo = normalizePlate(asked ?? '')
  const { data, error, refetch } = useQuery({
    ...asks(coupon.queryByCar, { plateNo, ...(parkCode && { parkCode }) } as never, { quiet: true }),
    enabled: asked !== undefined,
  })
  const payable = data?.[0]?.amountFen ?? null
  const right = isPlate(normalizePlate(typed))
  return (
    <div className="list">
      <PageHead
        purpose={['一辆车有哪些券、现在会用哪张、其余为什么不用', 'The coupons a car holds, which one it would use now, and why not the others']}
      />
      <form
        className="coupon-find"
        onSubmit={(event) => {
          event.preventDefault()
          if (right) ask(typed)
        }}
      >
        <PlateInput className="plate-find" value={typed} onChange={(value: string | undefined) => setTyped(value ?? '')} />
        <ParkSelect {...(parkCode !== undefined && { value: parkCode })} onChange={setPark} />
        <Button type="primary" htmlType="submit" disabled={!right}>
          {say(['查询', 'Search'])}
        </Button>
        {pages}
      </form>
      {error && <Failed error={error as unknown as Refusal} retry={() => void refetch()} />}
      {data && (
        <>
          <Tiles label={['当前', 'Now']}>
            <Tile figure={CAR_COUPONS.amountFen} value={payable === null ? null : <Money fen={payable} />}>
              <Plate number={plateNo} />
            </Tile>
            <Tile figure={CAR_COUPONS.bestFen} value={<Money fen={data.reduce((sum, { togetherFen }) => sum + togetherFen, 0)} />} />
          </Tiles>
          <Weighed of={data} />
        </>
      )}
      {!data && !error && <Empty description={say(['输入车牌查询', 'Enter a plate to search'])} />}
    </div>
  )
}

function Weighed({ of }: { of: readonly (typeof coupon.queryByCar.reply)['~unsafe'][number][] }) {
  const say = useText()
  if (of.length === 0) return <Empty description={say(['这辆车没有可用的券', 'No usable coupons on this car'])} />
  return (
    <div className="coupon-lines">
      <table className="lines">
        <thead>
          <tr>
            {[
              ['优惠券', 'Coupon'],
              ['优惠', 'Discount'],
              ['商户', 'Merchant'],
              ['状态', 'Status'],
              ['结果', 'Result'],
              ['单独优惠', 'Alone'],
              ['有效期至', 'Valid until'],
            ].map(([zh, en]) => (
              <th key={en}>{say([zh!, en!])}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {of.map((one) => (
            <tr key={one.id}>
              <td>
                {one.name} <div className="faint">{one.couponNo}</div>
              </td>
              <td>
                <Face of={one} />
              </td>
              <td>{one.mchName ?? say(['平台', 'Platform'])}</td>
              <td>
                <State dictionary={CouponState} value={one.state} />
              </td>
              <td>
                <State dictionary={Verdict} value={one.verdict} />
              </td>
              <td className="right">
                <Money fen={one.aloneFen} />
              </td>
              <td>
                <Until at={one.validTo} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
