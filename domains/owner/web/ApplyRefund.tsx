import { useQuery } from '@tanstack/react-query'
import { Alert, Form } from 'antd'
import type { Fen, Id } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { yuan } from '../../../platform/web/format.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { useRested } from '../../../platform/web/form/rested.ts'
import { useText } from '../../../platform/web/text.ts'
import type { OwnerId } from '../contract/account.ts'
import { storedRefund } from '../contract/refund.ts'
import { REFUND_CHANGES } from './changes.ts'

interface Whose {
  ownerId?: Id<OwnerId>
  cardNo?: string
}
/** Requests a refund of stored value: the amount, and the bonus that goes with it, are shown first. */
export function ApplyRefund({ ownerId, cardNo, holder, onClose }: Whose & { holder: string; onClose: () => void }) {
  const whose = { ...(ownerId && { ownerId }), ...(cardNo && { cardNo }) }
  return (
    <FormDialog
      title={[`申请储值退款 · ${holder}`, `Refund stored value · ${holder}`]}
      entity={storedRefund.apply.input}
      mode="new"
      value={{ ...whose }}
      save={storedRefund.apply}
      act={({ amountFen }) =>
        amountFen ? [`申请退款 ¥${yuan(amountFen)}`, `Request a refund of ¥${yuan(amountFen)}`] : ['申请退回全部本金', 'Request all principal back']
      }
      done={['已提交，等待初审；金额已冻结', 'Requested; the amount is frozen until the review']}
      changes={REFUND_CHANGES}
      below={<Quoted whose={whose} />}
      fields={[{ name: 'amountFen', optional: true, help: ['不填为全部可退本金', 'Leave empty for all refundable principal'] }, 'reason']}
      onClose={onClose}
    />
  )
}

/** Shows the refund of the typed amount, or of all, or why it cannot be. */
function Quoted({ whose }: { whose: Whose }) {
  const say = useText()
  const typed = Form.useWatch<Fen | null | undefined>('amountFen', Form.useFormInstance()) ?? null
  const amountFen = useRested(typed)
  const asked = { ...whose, reason: '-', dryRun: true, ...(amountFen !== null && { amountFen }) }
  const { data, error, isLoading } = useQuery({
    ...asks(storedRefund.apply, asked, { quiet: true }),
    retry: false,
    enabled: amountFen === null || amountFen > 0,
  })
  if (typed !== amountFen || isLoading) return <Alert showIcon type="info" title={say(['正在试算…', 'Calculating…'])} />
  if (error) return <Alert showIcon type="error" title={error.message} />
  const quote = data?.quote
  if (!quote) return null
  const [amount, bonus, back] = [quote.amountFen, quote.clawbackFen, quote.payFen].map(yuan)
  return (
    <Alert
      showIcon
      type="info"
      title={say([`退本金 ¥${amount}，收回赠送 ¥${bonus}，实际退还 ¥${back}`, `Principal ¥${amount}, bonus taken back ¥${bonus}, ¥${back} refunded`])}
    />
  )
}
