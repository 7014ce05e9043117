import { plural } from '../../../../platform/contract/plural.ts'
import { useQuery } from '@tanstack/react-query'
import { InputNumber } from 'antd'
import type { Id } from '../../../../platform/contract/field.ts'
import { asks } from '../../../../platform/web/ask.ts'
import { count, percent, yuan } from '../../../../platform/web/format.ts'
import { useText } from '../../../../platform/web/text.ts'
import { order } from '../../contract/order.ts'
import './cash.css'

interface Props {
  orderId: string
  points: number
  onPoints: (points: number) => void
}
/** Points that the car's owner may use beside cash; nothing where there are none. */
export function CashPoints({ orderId, points, onPoints }: Props) {
  const say = useText()
  const { data } = useQuery(asks(order.points, { id: orderId as Id<'OrderId'> }, { quiet: true }))
  if (!data || data.most === 0) return null
  const { usable, most, capPermille } = data
  const cap = percent(capPermille)
  return (
    <div className="cash-points">
      <label>
        {say(['使用积分', 'Use points'])}
        <InputNumber min={0} max={most} precision={0} value={points} onChange={(typed) => onPoints(Math.min(typed ?? 0, most))} />
      </label>
      <p className="faint">
        {say([
          `车主可用 ${count(usable)} 积分，值 ¥${yuan(usable)}；积分最多抵应付的 ${cap}，本单最多用 ${count(most)}`,
          `The owner has ${count(usable)} ${plural(usable, 'point')}, worth ¥${yuan(usable)}. Points pay ${cap} of a fee at most: ${count(most)} here`,
        ])}
      </p>
    </div>
  )
}
