import type { Id, Of } from '../../../../platform/contract/field.ts'
import { FormDialog } from '../../../../platform/web/form/FormDialog.tsx'
import { yuan } from '../../../../platform/web/format.ts'
import { toast } from '../../../../platform/web/page/hosts.tsx'
import { Select } from '../../../../platform/web/form/Select.tsx'
import { type Text, useText } from '../../../../platform/web/text.ts'
import { PayMethod, type PayMethodCode } from '../../../settlement/contract/payment.ts'
import { account, type Recharge } from '../../contract/account.ts'
import { MERCHANT_CHANGES } from './changes.ts'
import { Standing } from '../Standing.tsx'

/** Cash in hand, and money that has come by a transfer, known by its slip. */
const METHODS: readonly (readonly [PayMethodCode, Text])[] = [
  [PayMethod.cash, ['现金', 'Cash']],
  [PayMethod.other, ['银行转账', 'Bank transfer']],
]
function WaySelect(props: { id?: string; value?: PayMethodCode; onChange?: (way: PayMethodCode) => void }) {
  const say = useText()
  return <Select {...props} options={METHODS.map(([value, text]) => ({ value, label: say(text) }))} />
}

/** Money that a merchant brought: its debt is repaid first, the rest is its balance. */
export function RechargeDialog({ mchId, name, onClose }: { mchId: Id<'MerchantId'>; name: string; onClose: () => void }) {
  return (
    <FormDialog
      title={[`充值 · ${name}`, `Recharge · ${name}`]}
      entity={account.recharge.input}
      mode="new"
      value={{ mchId, payMethod: PayMethod.cash }}
      save={account.recharge}
      about={<Standing mchId={mchId} />}
      act={({ amountFen }) => [`确认充值 ¥${yuan(amountFen ?? 0)}`, `Recharge ¥${yuan(amountFen ?? 0)}`]}
      changes={MERCHANT_CHANGES}
      fields={[
        'amountFen',
        {
          name: 'payMethod',
          control: <WaySelect />,
          help: [
            '先归还已用授信，余下进入余额；现金计入收银班次',
            'Used credit is repaid first, the rest goes to the balance; cash goes to the shift',
          ],
        },
        { name: 'receiptNo', optional: true, help: ['转账必填；同一凭证只能使用一次', 'Required for a transfer; a slip can be used once'] },
        { name: 'images', optional: true },
      ]}
      onSaved={(reply) => {
        const { orderNo, repaidFen } = reply as Of<typeof Recharge>
        toast(
          'success',
          repaidFen > 0
            ? [`已到账，其中归还授信 ¥${yuan(repaidFen)} · ${orderNo}`, `Received; ¥${yuan(repaidFen)} repaid credit · ${orderNo}`]
            : [`已到账 · ${orderNo}`, `Received · ${orderNo}`],
        )
      }}
      onClose={onClose}
    />
  )
}
