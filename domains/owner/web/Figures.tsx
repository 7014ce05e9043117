import { useQuery } from '@tanstack/react-query'
import type { Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { Tile, Tiles } from '../../../platform/web/draw/Tiles.tsx'
import { Money } from '../../../platform/web/value.tsx'
import { asset } from '../contract/asset.ts'
import { STORED_VALUE } from '../contract/figures.ts'

type Sums = Of<typeof asset.sum.reply>
type Name = keyof typeof STORED_VALUE

/** 充值 + 赠送 − 消费 − 退款 − 收回 = 余额: all owners and cards together. */
export function AssetFigures({ show }: { show: readonly Name[] }) {
  const { data } = useQuery(asks(asset.sum, {}, { quiet: true }))
  return (
    <Tiles label={['储值概况', 'Stored value']}>
      {show.map((name) => (
        <Tile key={name} figure={STORED_VALUE[name]} to={false} value={data ? <Money fen={(data as Sums)[name]} /> : null} />
      ))}
    </Tiles>
  )
}
