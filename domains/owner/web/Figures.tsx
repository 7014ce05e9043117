import { useQuery } from '@tanstack/react-query'
import type { Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { Tile, Tiles } from '../../../platform/web/Tiles.tsx'
import { Money } from '../../../platform/web/value.tsx'
import { asset } from '../contract/asset.ts'

type Sums = Of<typeof asset.sum.reply>
const NAMES = {
  openingFen: ['期初余额', 'Opening balance'],
  rechargedFen: ['充值', 'Recharged'],
  givenFen: ['赠送', 'Given'],
  spentFen: ['消费', 'Spent'],
  refundedFen: ['退款', 'Refunded'],
  takenBackFen: ['收回', 'Deducted after a refund'],
  closingFen: ['期末余额（账户与停车卡）', 'Closing balance, accounts and cards'],
  principalFen: ['其中本金', 'Principal part'],
  bonusFen: ['其中赠送', 'Bonus part'],
  frozenFen: ['冻结中', 'Frozen'],
} as const
type Name = keyof typeof NAMES

/** 充值 + 赠送 − 消费 − 退款 − 收回 = 余额: all owners and cards together. */
export function AssetFigures({ show }: { show: readonly Name[] }) {
  const { data } = useQuery(asks(asset.sum, {}, { quiet: true }))
  return (
    <Tiles label={['储值概况', 'Stored value']}>
      {show.map((name) => (
        <Tile key={name} name={NAMES[name]} value={data ? <Money fen={(data as Sums)[name]} /> : null} />
      ))}
    </Tiles>
  )
}
