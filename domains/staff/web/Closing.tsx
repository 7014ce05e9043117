import { Alert, InputNumber } from 'antd'
import { useRef, useState } from 'react'
import { numberFault } from '../../../platform/web/form/bounds.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { can } from '../../../platform/web/person.ts'
import { useText } from '../../../platform/web/text.ts'
import { Money } from '../../../platform/web/value.tsx'
import { CashFace, Counted, shift } from '../../settlement/contract/shift.ts'
import { toll } from '../contract/collector.ts'
import { CollectorSelect } from './choices.tsx'
import type { Closed } from './closed.ts'
import { ClosedShift } from './ClosedShift.tsx'
import { CHANGES, ref, type TillOf } from './tillActs.ts'

/** Counts and hands over the till; the result stays until it was read. */
export function Closing({ row, onClose }: { row: TillOf; onClose: () => void }) {
  const say = useText()
  const saved = useRef(false)
  const [closed, setClosed] = useState<Closed>()
  if (closed) return <ClosedShift of={closed} onClose={onClose} />
  return (
    <FormDialog
      mode="new"
      changes={CHANGES}
      onClose={() => saved.current || onClose()}
      title={['交班', 'Close shift']}
      entity={shift.close.input}
      value={{ ...ref(row), counted: [] }}
      save={shift.close}
      act={['交班', 'Close']}
      onSaved={(reply) => {
        saved.current = true
        setClosed(reply as Closed)
      }}
      about={
        <>
          <Alert
            type="info"
            title={row.shiftNo}
            description={say([
              '请清点现金后填写张数；应有金额在提交后核对',
              'Count the cash and enter the pieces; what should be there is compared once you submit',
            ])}
          />
          <Otherwise of={row} />
        </>
      }
      fields={[
        { name: 'counted', control: <Counting />, check: countedFault },
        {
          name: 'takerTollNo',
          ...(can(toll.pick.needs) && { control: <CollectorSelect byNo signsIn /> }),
          label: ['接班人', 'Taken over by'],
          optional: true,
          help: [
            '有账号的收费员的工号；不填则现金交回公司核验',
            'Number of a collector with an account; if empty, the cash is returned to the office for verification',
          ],
        },
        {
          name: 'reason',
          optional: true,
          help: ['有差异时必填；超过 10 元由督导处理', 'Required if there is a difference; above ¥10 a supervisor settles it'],
        },
      ]}
    />
  )
}

/** Receipts of a handheld that took more or less than was due: the cash that is expected has them as they were taken. */
function Otherwise({ of: { overFen, underFen } }: { of: Pick<TillOf, 'overFen' | 'underFen'> }) {
  const say = useText()
  if (overFen === 0 && underFen === 0) return null
  return (
    <Alert
      showIcon
      type="warning"
      title={
        <>
          {say(['离线收款与应收不符：多收 ', 'Taken without network otherwise than due: '])}
          <Money fen={overFen} />
          {say(['，少收 ', ' above, '])}
          <Money fen={underFen} />
          {say(['', ' below'])}
        </>
      }
      description={say([
        '应有现金已按实收计算；多收的在「重复支付」中退还车主',
        'The cash that is expected has what was taken; what is above waits under Duplicate payments for the driver',
      ])}
    />
  )
}

type Counts = readonly { faceFen: number; count: number }[]
const FACES = Object.entries(CashFace.entries)
  .map(([fen, [zh, en]]) => ({ faceFen: Number(fen), label: [zh, en] as const }))
  .sort((a, b) => b.faceFen - a.faceFen)
const wrongCount = ({ faceFen, count }: Counts[number]) =>
  numberFault(Counted.properties.count, count, { label: FACES.find((one) => one.faceFen === faceFen)!.label })
const countedFault = ({ counted }: Readonly<Record<string, unknown>>) =>
  (counted as Counts | undefined)?.map(wrongCount).find((fault) => fault !== undefined)
/** Counts notes and coins and adds them up: the person who counts is not told what should be there. */
function Counting({ value = [], onChange }: { value?: Counts; onChange?: (value: Counts) => void }) {
  const say = useText()
  const countOf = (faceFen: number) => value.find((one) => one.faceFen === faceFen)?.count ?? 0
  const set = (faceFen: number, count: number) =>
    onChange?.([...value.filter((one) => one.faceFen !== faceFen), ...(count !== 0 ? [{ faceFen, count }] : [])])
  const sumFen = value.reduce((sum, { faceFen, count }) => sum + faceFen * count, 0)
  return (
    <div className="counting">
      {FACES.map(({ faceFen, label }) => (
        <label key={faceFen}>
          <span>{say(label)}</span>
          <InputNumber<number>
            precision={0}
            {...(wrongCount({ faceFen, count: countOf(faceFen) }) && { status: 'error' as const })}
            value={countOf(faceFen)}
            onChange={(count) => set(faceFen, count ?? 0)}
            aria-label={say(label)}
          />
        </label>
      ))}
      <strong>
        {say(['实点', 'Counted'])} <Money fen={sumFen} />
      </strong>
    </div>
  )
}
