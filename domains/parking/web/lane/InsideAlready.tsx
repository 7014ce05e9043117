import { useQuery } from '@tanstack/react-query'
import { isWholePlate, normalizePlate } from '../../../../platform/contract/plate.ts'
import { asks } from '../../../../platform/web/ask.ts'
import { nearTime } from '../../../../platform/web/format.ts'
import { can } from '../../../../platform/web/person.ts'
import { useText } from '../../../../platform/web/text.ts'
import { stay } from '../../contract/stay.ts'
import { insideAlready } from './laneActs.ts'

/** The plate that is typed at an entrance is inside by the records: said before the car is let in by it. */
export function InsideAlready({ parkCode, typed }: { parkCode: string; typed: string }) {
  const say = useText()
  const plateNo = normalizePlate(typed)
  const { data } = useQuery({
    ...asks(stay.queryPresentPage, { parkCode, plateNo, current: 1, limit: 5, queryMode: 'rows' }, { quiet: true }),
    enabled: isWholePlate(plateNo) && can(stay.queryPresentPage.needs),
  })
  const text = data && insideAlready(data.records, plateNo, (at) => nearTime(at, 'second'))
  return text ? (
    <p className="state warning" role="status">
      {say(text)}
    </p>
  ) : null
}
