import { useQuery } from '@tanstack/react-query'
import { asks } from '../../../platform/web/ask.ts'
import { Section } from '../../../platform/web/record/DetailDrawer.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Money, Plate, State, Time } from '../../../platform/web/value.tsx'
import { ParkName } from '../../parking/web/api/names.tsx'
import { MovementKind, NO_PARK } from '../contract/asset.ts'
import { card } from '../contract/card.ts'

/** Every movement of a card, the newest first, with what stood on it afterwards. */
export function CardStory({ id }: { id: string }) {
  const say = useText()
  const { data } = useQuery(asks(card.detail, { id: id as never }))
  return (
    <Section title={['收支明细', 'Transactions']}>
      {data?.length === 0 && <p className="faint">{say(['还没有变动', 'No transactions yet'])}</p>}
      <table className="lines">
        <tbody>
          {data?.map((one) => (
            <tr key={one.id}>
              <td>
                <State dictionary={MovementKind} value={one.kind} />
                <div className="faint">
                  <Time at={one.at} /> {one.operatorName}
                </div>
              </td>
              <td>
                {one.plateNo && <Plate number={one.plateNo} />} {one.parkCode !== NO_PARK && <ParkName code={one.parkCode} />}
                <div className="faint">{one.bizNo}</div>
              </td>
              <td className="right">
                <Money fen={one.amountFen} />
                <div className="faint">
                  {say(['余', 'left'])} <Money fen={one.balanceAfterFen} />
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}
