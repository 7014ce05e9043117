import { QrDialog } from '../../../platform/web/Qr.tsx'
import { yuan } from '../../../platform/web/format.ts'
import { useText } from '../../../platform/web/text.ts'
import type { Of } from '../../../platform/contract/field.ts'
import { PayMethod } from '../../settlement/contract/payment.ts'
import type { PassOrder } from '../contract/pass.ts'
import { Radio } from 'antd'

export type Order = Of<typeof PassOrder>
/** Cash in hand, and the channels whose code the payer scans. */
const COUNTER = [PayMethod.cash, PayMethod.wechat, PayMethod.alipay, PayMethod.unionpay, PayMethod.digitalYuan] as const

export function Ways({ value, onChange }: { id?: string; value?: number; onChange?: (way: number) => void }) {
  const say = useText()
  return <Radio.Group optionType="button" value={value} onChange={({ target }) => onChange?.(target.value as number)} options={COUNTER.map((one) => ({ value: one, label: say(PayMethod.entries[one]) }))} /> // prettier-ignore
}
/** What the payer scans. */
export function Paying({ of, onClose }: { of: Order; onClose: () => void }) {
  const say = useText()
  return (
    <QrDialog
      title={[`请客户扫码支付 ¥${yuan(of.payableFen)}`, `Ask the customer to scan and pay ¥${yuan(of.payableFen)}`]}
      value={of.payUrl!}
      fileName={of.orderNo ?? 'pass'}
      caption={say([`${of.orderNo} · 五分钟内有效`, `${of.orderNo} · valid for five minutes`])}
      onClose={onClose}
    />
  )
}
