import { plural } from '../../../platform/contract/plural.ts'
import { useQuery } from '@tanstack/react-query'
import { Alert } from 'antd'
import type { Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { yuan } from '../../../platform/web/format.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { Lines } from '../../../platform/web/list/Lines.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Money } from '../../../platform/web/value.tsx'
import { type Pass, pass, QuoteAct } from '../contract/pass.ts'
import { CUSTOMER_CHANGES } from './changes.ts'

type Part = Of<typeof pass.quote.reply>['parts'][number]
function OpenRefund({ fen }: { fen: number }) {
  const say = useText()
  const text = say([
    `该月卡的订单还有 ¥${yuan(fen)} 退款未办结，请待其付出或驳回后再退卡`,
    `A refund of ¥${yuan(fen)} of an order of this pass is still open: cancel the pass once that is paid out or rejected`,
  ])
  return <Alert showIcon type="warning" title={text} />
}
/** Cancels a pass: the refund of each order is shown before the request. */
export function GiveBack({ of, onClose }: { of: Of<typeof Pass>; onClose: () => void }) {
  const say = useText()
  const quote = useQuery(asks(pass.quote, { act: QuoteAct.giveBack, id: of.id }, { quiet: true })).data
  const openFen = quote?.parts.reduce((sum, part) => sum + part.refundingFen, 0) ?? 0
  return (
    <FormDialog
      title={[`退卡 · ${of.plates.join('、')} · ${of.passNo}`, `Cancel pass · ${of.plates.join(', ')} · ${of.passNo}`]}
      entity={pass.refund.input as never}
      mode="new"
      value={{ id: of.id, version: of.version } as never}
      save={pass.refund as never}
      changes={CUSTOMER_CHANGES}
      waits={!quote || openFen > 0}
      act={quote ? [`申请退款 ¥${yuan(quote.refundFen)}`, `Request a refund of ¥${yuan(quote.refundFen)}`] : ['申请退卡', 'Cancel pass']}
      done={['已提交，月卡立即停用，等待另一人审核', 'Submitted; the pass stops at once and another person reviews the refund']}
      about={
        <>
          {openFen > 0 && <OpenRefund fen={openFen} />}
          <Lines
            of={quote?.parts ?? []}
            keyOf={({ orderNo }) => orderNo}
            columns={[
              { name: ['订单号', 'Order number'], cell: (one) => one.orderNo },
              {
                name: ['已用', 'Used'],
                cell: (one) => say([`${one.usedDays}/${one.days} 天`, `${one.usedDays} of ${one.days} ${plural(one.days, 'day')}`]),
              },
              { name: ['实付', 'Paid'], right: true, cell: (one) => <Money fen={one.paidFen} /> },
              ...(openFen > 0
                ? [{ name: ['退款中', 'Refund under way'] as const, right: true as const, cell: (one: Part) => <Money fen={one.refundingFen} /> }]
                : []),
              { name: ['应退', 'To refund'], right: true, cell: (one) => <Money fen={one.refundFen} /> },
            ]}
          />
        </>
      }
      fields={['reason'] as never}
      onClose={onClose}
    />
  )
}
