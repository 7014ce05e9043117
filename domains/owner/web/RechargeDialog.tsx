import { useState } from 'react'
import type { Id } from '../../../platform/contract/field.ts'
import { yuan } from '../../../platform/web/format.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { QrDialog } from '../../../platform/web/draw/Qr.tsx'
import { Select } from '../../../platform/web/form/Select.tsx'
import { useText } from '../../../platform/web/text.ts'
import { PayMethod, type PayMethodCode } from '../../settlement/contract/payment.ts'
import type { OwnerId } from '../contract/account.ts'
import { asset } from '../contract/asset.ts'
import { MONEY_CHANGES } from './changes.ts'

/** Cash in hand, and the channels whose code the payer scans. */
const METHODS = [PayMethod.cash, PayMethod.wechat, PayMethod.alipay, PayMethod.unionpay, PayMethod.digitalYuan] as const
export function WaySelect(props: { id?: string; value?: PayMethodCode; onChange?: (way: PayMethodCode) => void }) {
  const say = useText()
  return <Select {...props} options={METHODS.map((value) => ({ value, label: say(PayMethod.entries[value]) }))} />
}

interface Paying {
  orderNo: string
  payUrl: string | null
}
/** A recharge that is not cash: the payer scans this. */
export function PayCode({ of: { orderNo, payUrl }, onClose }: { of: Paying; onClose: () => void }) {
  const say = useText()
  const caption = say([`${orderNo} · 五分钟内有效`, `${orderNo} · valid for five minutes`])
  return (
    <QrDialog title={['请车主扫码支付', 'Ask the owner to scan and pay']} value={payUrl!} fileName={orderNo} caption={caption} onClose={onClose} />
  )
}

/** Puts money into an owner's account at the counter. */
export function RechargeDialog({ ownerId, holder, onClose }: { ownerId: Id<OwnerId>; holder: string; onClose: () => void }) {
  const [paying, setPaying] = useState<Paying>()
  if (paying) return <PayCode of={paying} onClose={onClose} />
  return (
    <FormDialog
      title={[`充值 · ${holder}`, `Recharge · ${holder}`]}
      entity={asset.recharge.input}
      mode="new"
      value={{ ownerId, payMethod: PayMethod.cash }}
      save={asset.recharge}
      act={({ payFen, payMethod }) =>
        payMethod === PayMethod.cash
          ? [`确认收现金 ¥${yuan(payFen ?? 0)}`, `Confirm ¥${yuan(payFen ?? 0)} in cash`]
          : [`生成收款码 ¥${yuan(payFen ?? 0)}`, `Create a payment code for ¥${yuan(payFen ?? 0)}`]
      }
      done={['充值已受理', 'Recharge accepted']}
      changes={MONEY_CHANGES}
      fields={[
        'payFen',
        { name: 'payMethod', control: <WaySelect />, help: ['到账后按进行中的活动自动赠送', 'Once paid, running activities add their bonus'] },
      ]}
      onSaved={(reply) => {
        const made = reply as Paying
        if (made.payUrl) setPaying(made)
      }}
      onClose={() => (paying ? undefined : onClose())}
    />
  )
}
