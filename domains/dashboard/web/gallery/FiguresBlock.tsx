import { Tile, Tiles } from '../../../../platform/web/draw/Tiles.tsx'
import { Money } from '../../../../platform/web/value.tsx'

const STAYS = '/operation/record/parking/parkingRecord'
export default function FiguresBlock() {
  return (
    <Tiles label={['数字', 'Figures']}>
      <Tile name={['进场', 'Entries']} unit={['辆', 'cars']} to={STAYS} value={1234} today={1234} before={1150} />
      <Tile name={['异常', 'Abnormal']} unit={['条', 'stays']} to={STAYS} value={9} today={9} before={4} good="down" />
      <Tile
        name={['实收', 'Paid']}
        to={STAYS}
        value={<Money fen={258_600} />}
        today={258_600}
        before={258_600}
        against={['较上周同日', 'vs last week']}
      />
      <Tile name={['在线设备', 'Devices online']} unit={['台', '']} to={STAYS} value={0} today={0} before={0} />
      <Tile name={['未知', 'Unknown']} unit={['台', '']} to={STAYS} value={null} before={12} />
    </Tiles>
  )
}
