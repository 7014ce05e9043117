import type { Of } from '../../../../platform/contract/field.ts'
import { Section } from '../../../../platform/web/record/DetailDrawer.tsx'
import { useText } from '../../../../platform/web/text.ts'
import { Money } from '../../../../platform/web/value.tsx'
import { FeeExplanation } from '../../../fee/web/api/FeeExplanation.tsx'
import { PayState, SessionAbnormal, SessionStatus, type StayFee, type Story } from '../../contract/stay.ts'

/** The present discounts of a car that is inside; the caller adds them to those taken off before. */
const sumOf = ({ discounts = [] }: Of<typeof StayFee>) => discounts.reduce((sum, { amountFen }) => sum + amountFen, 0)

/** Explains the fee; of a car that is inside, the fee if it left now. */
export function FeeOf({ story: { stay, quote, orders } }: { story: Of<typeof Story> }) {
  const say = useText()
  const inside = stay.status === SessionStatus.present
  const unseen = stay.entryTime === null && stay.status !== SessionStatus.present
  const unpriced = stay.abnormalType === SessionAbnormal.unpriced && stay.receivableFen === 0
  const free = stay.status === SessionStatus.left && orders.length === 0 && stay.receivableFen === 0
  return (
    <Section title={inside ? ['现在离场要付多少', 'What it would cost now'] : ['计费明细', 'Fee breakdown']}>
      {quote ? (
        <FeeExplanation
          quote={quote}
          discountFen={inside && stay.payState !== PayState.toPay ? stay.discountFen + sumOf(quote) : stay.discountFen}
          discounts={quote.discounts}
          until={inside}
        />
      ) : (
        <p className="soft">
          {unseen && stay.receivableFen > 0 ? (
            <>
              {say([
                '没有入场记录，不按时长计费；按车场规定的最低收费计 ',
                'No entry record, so no fee by time: the car park’s fee for cars without an entry applies, ',
              ])}
              <Money fen={stay.receivableFen} />
            </>
          ) : unpriced ? (
            say(['没有适用的收费规则，费用 --；由人工放行。', 'No fee rule applied, so the fee is --; staff let it out.'])
          ) : free ? (
            say([
              '这次停车没有计费：月租车、免费车或清场离场不收费。',
              'This stay was not billed: pass cars, free cars and cleared stays cost nothing.',
            ])
          ) : (
            say([
              '还没有算出费用：缺少入场时间，或这个车场没有适用的收费规则。',
              'No fee yet: the entry time is missing, or no fee rule applies to this car park.',
            ])
          )}
        </p>
      )}
    </Section>
  )
}
