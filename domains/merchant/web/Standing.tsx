import { useText } from '../../../platform/web/text.ts'
import { Money } from '../../../platform/web/value.tsx'
import { useMerchants } from './api/names.tsx'

/** Shows a merchant's balance and debt, over a dialog that moves its money. */
export function Standing({ mchId }: { mchId: string }) {
  const say = useText()
  const of = useMerchants().find(({ id }) => (id as string) === mchId)
  if (!of) return null
  return (
    <p className="faint">
      {of.name} {of.mchNo} · {say(['余额', 'balance'])} <Money fen={of.balanceFen} /> · {say(['可用授信', 'credit left'])}{' '}
      <Money fen={of.quotaFen - of.usedFen} /> · {say(['已用授信', 'credit used'])} <Money fen={of.usedFen} />
    </p>
  )
}
