import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Modal, Pagination } from 'antd'
import { useState } from 'react'
import type { Page } from '../../../platform/contract/call.ts'
import type { Of } from '../../../platform/contract/field.ts'
import { plural } from '../../../platform/contract/plural.ts'
import { asks } from '../../../platform/web/ask.ts'
import { Lines } from '../../../platform/web/list/Lines.tsx'
import { Loaded } from '../../../platform/web/page/states.tsx'
import { wholeOf } from '../../../platform/web/list/Sums.tsx'
import { useText } from '../../../platform/web/text.ts'
import { labelOf, Money, Plate, recordsOf, Value } from '../../../platform/web/value.tsx'
import { clearedCar, type ClearedCar } from '../contract/clearedCar.ts'
import type { Cleared } from '../contract/clearing.ts'
import { ParkName } from './api/names.tsx'

type Clearing = Of<typeof Cleared>
type Car = Of<typeof ClearedCar>
const PAGE = 10
const shapes = recordsOf(clearedCar.query.reply)
const shown = (name: keyof Car & string) => ({
  name: labelOf(shapes[name]!),
  cell: (one: Car) => <Value shape={shapes[name]!} value={one[name]} of={one} />,
})

/** The cars of a clearing, the dearest first, and what they come to: as they were asked for, or as they were let go. */
export function ClearedCars({ of: { id, count } }: { of: Clearing }) {
  const say = useText()
  const [current, setCurrent] = useState(1)
  const page = useQuery({
    ...asks(clearedCar.query, { clearingId: id, current, limit: PAGE }, { quiet: true }),
    placeholderData: keepPreviousData,
  })
  const whole = useQuery<Page<Car>>(wholeOf(clearedCar.query, { clearingId: id }, 'sum'))
  return (
    <Loaded of={page}>
      {({ records }) => (
        <>
          <Lines
            of={records}
            keyOf={(one) => one.id}
            columns={[
              {
                name: labelOf(shapes['plateNo']!),
                cell: ({ plateNo, plateColor, seatCode }) => (plateNo ? <Plate number={plateNo} color={plateColor} still /> : seatCode),
              },
              { name: ['车场', 'Car park'], cell: ({ parkCode }) => <ParkName code={parkCode} still /> },
              shown('entryTime'),
              shown('durationMin'),
              shown('status'),
              {
                name: labelOf(shapes['dueFen']!),
                right: true,
                cell: ({ dueFen, unpriced }) =>
                  unpriced ? <span className="faint">{say(labelOf(shapes['unpriced']!))}</span> : <Money fen={dueFen} />,
                sum: <Money fen={whole.data?.sums?.['dueFen']} />,
              },
            ]}
          />
          {count > PAGE && <Pagination size="small" pageSize={PAGE} current={current} total={count} onChange={setCurrent} showSizeChanger={false} />}
        </>
      )}
    </Loaded>
  )
}

/** The same in a dialog of its own: of any clearing, also one that was decided long ago. */
export function ClearedCarsDialog({ of, onClose }: { of: Clearing; onClose: () => void }) {
  const say = useText()
  return (
    <Modal
      open
      width={860}
      title={say([`清场车辆：${of.count} 辆`, `Clearing: ${of.count} ${plural(of.count, 'car')}`])}
      footer={null}
      onCancel={onClose}
    >
      <ClearedCars of={of} />
    </Modal>
  )
}
