import { useQuery } from '@tanstack/react-query'
import { Alert } from 'antd'
import type { Id } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { yuan } from '../../../platform/web/format.ts'
import { FormDialog } from '../../../platform/web/FormDialog.tsx'
import { useText } from '../../../platform/web/text.ts'
import type { OwnerId } from '../contract/account.ts'
import { storedRefund } from '../contract/refund.ts'
import { REFUND_CHANGES } from './changes.ts'

interface Props {
  ownerId?: Id<OwnerId>
  cardNo?: string
  holder: string
  onClose: () => void
}
/** Asks for stored value back: what goes back, and what of the bonus goes with it, is said before. */
export function ApplyRefund({ ownerId, cardNo, holder, onClose }: Props) {
  const say = useText()
  const whose = { ...(ownerId && { ownerId }), ...(cardNo && { cardNo }) }
  const { data } = useQuery(asks(storedRefund.apply, { ...whose, reason: '-', dryRun: true }, { quiet: true }))
  const quote = data?.quote
  return (
    <FormDialog
      title={[`申请储值退款 · ${holder}`, `Refund stored value · ${holder}`]}
      entity={storedRefund.apply.input}
      mode="new"
      value={{ ...whose }}
      save={storedRefund.apply}
      act={['提交申请', 'Request the refund']}
      done={['已提交，等待初审；金额已冻结', 'Requested; the amount is frozen until the review']}
      changes={REFUND_CHANGES}
      about={
        quote && (
          <Alert
            showIcon
            type="info"
            title={say([
              `全退：本金 ¥${yuan(quote.amountFen)}，收回赠送 ¥${yuan(quote.clawbackFen)}，实际退还 ¥${yuan(quote.payFen)}`,
              `Full refund: principal ¥${yuan(quote.amountFen)}, bonus taken back ¥${yuan(quote.clawbackFen)}, ¥${yuan(quote.payFen)} refunded`,
            ])}
          />
        )
      }
      fields={[{ name: 'amountFen', optional: true, help: ['不填为全部可退本金', 'Empty: all refundable principal'] }, 'reason']}
      onClose={onClose}
    />
  )
}
