import { useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Tone } from '../../../../platform/contract/field.ts'
import { type MapPoint, PlaceMap } from '../../../../platform/web/map/PlaceMap.tsx'
import { useText } from '../../../../platform/web/text.ts'

const TONES: Tone[] = ['success', 'warning', 'error', 'default']
const MANY_MAX = 20_000
/** The golden angle: points that lie evenly without any order. */
const TURN = 2.399963

/** `?points=20000` shows how many it bears; three of them lie on one spot, as devices on one mast do. */
export default function MapBlock() {
  const say = useText()
  const [params] = useSearchParams()
  const [chosen, setChosen] = useState<string>()
  const wanted = Math.min(MANY_MAX, Math.max(3, Number(params.get('points')) || 40))
  const points = useMemo(
    () =>
      Array.from({ length: wanted }, (_, n): MapPoint => {
        const reach = n < 3 ? 0 : 0.08 * Math.sqrt(n / wanted)
        return {
          id: `L${n}`,
          name: `L-${String(n).padStart(3, '0')}`,
          lng: 112.23 + reach * Math.cos(n * TURN),
          lat: 32.09 + reach * 0.6 * Math.sin(n * TURN),
          tone: TONES[n % 9 < 6 ? 0 : n % 4]!,
        }
      }),
    [wanted],
  )
  return (
    <div className="show">
      <PlaceMap label={['设备在地图上的位置', 'Device locations']} points={points} chosen={chosen} onOpen={setChosen} height={480} />
      <p className="faint" data-chosen>
        {say(['选中', 'Chosen'])} {chosen ?? '--'}
      </p>
    </div>
  )
}
