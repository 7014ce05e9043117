import { useQuery } from '@tanstack/react-query'
import { Alert, Radio } from 'antd'
import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { yuan } from '../../../platform/web/format.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { Money } from '../../../platform/web/value.tsx'
import { shift, type ShiftDetail, ShiftWay } from '../../settlement/contract/shift.ts'
import { till } from '../contract/till.ts'

type Detail = Of<typeof ShiftDetail>
type Way = keyof typeof ShiftWay.entries

/** A difference as it was counted and explained, and what becomes of it. That the enterprise bears a shortage one person proposes, and another confirms. */
export function Settling({ id, onClose }: { id: Detail['id']; onClose: () => void }) {
  const { data: of } = useQuery(asks(shift.detail, { id }))
  return of ? <Form of={of} onClose={onClose} /> : null
}

function Form({ of, onClose }: { of: Detail; onClose: () => void }) {
  const proposed = of.settledWay === ShiftWay.borne && of.confirmedById === null
  const openFen = of.openFen ?? 0
  const ways: Way[] = openFen > 0 ? [ShiftWay.over] : [ShiftWay.madeGood, ShiftWay.borne]
  const [way, setWay] = useState<Way>(proposed ? ShiftWay.borne : ways[0]!)
  const confirms = proposed && way === ShiftWay.borne
  return (
    <FormDialog
      mode="new"
      title={['处理差异', 'Settle difference']}
      entity={shift.settle.input}
      value={{ id: of.id, version: of.version, way }}
      save={shift.settle}
      act={actOf(way, confirms, openFen)}
      done={['已提交', 'Done']}
      changes={[till.shifts, till.people, shift.detail]}
      about={<Difference of={of} proposed={proposed} />}
      fields={[
        { name: 'way', control: <Ways ways={ways} onWay={setWay} /> },
        { name: 'note', ...(way === ShiftWay.borne && !confirms ? { needed: true as const } : { optional: true }) },
      ]}
      onClose={onClose}
    />
  )
}

function actOf(way: Way, confirms: boolean, openFen: number): Text {
  const amount = `¥${yuan(Math.abs(openFen))}`
  if (confirms) return [`确认公司承担 ${amount}`, `Confirm: the enterprise bears ${amount}`]
  if (way === ShiftWay.borne) return [`提出公司承担 ${amount}`, `Propose that the enterprise bears ${amount}`]
  return way === ShiftWay.over ? [`按长款入账 ${amount}`, `Book ${amount} as a surplus`] : [`登记补缴 ${amount}`, `Record ${amount} made good`]
}

function Ways({ ways, value, onChange, onWay }: { ways: readonly Way[]; value?: Way; onChange?: (way: Way) => void; onWay: (way: Way) => void }) {
  const say = useText()
  return (
    <Radio.Group
      {...(value !== undefined && { value })}
      onChange={({ target }) => {
        onChange?.(target.value as Way)
        onWay(target.value as Way)
      }}
      options={ways.map((one) => ({ value: one, label: say(ShiftWay.entries[one]) }))}
    />
  )
}

/** Shows the holder of a till, the difference found, and the cashier's explanation. */
function Difference({ of, proposed }: { of: Detail; proposed: boolean }) {
  const say = useText()
  return (
    <>
      <Alert
        type="warning"
        title={
          <>
            {of.personName} · {of.shiftNo} · {say(['差异', 'Difference'])} <Money fen={of.openFen} />
          </>
        }
        description={
          <>
            {say(['应有', 'Expected'])} <Money fen={of.expectedFen} /> · {say(['实点', 'Counted'])} <Money fen={of.countedFen} />
            <div>
              {say(['收费员说明：', 'Cashier’s reason: '])}
              {of.closeReason ?? '--'}
            </div>
          </>
        }
      />
      {proposed && (
        <Alert
          type="info"
          title={say([
            `${of.settledByName} 提出由公司承担，须另一人确认`,
            `${of.settledByName} proposed that the enterprise bears it; another person confirms`,
          ])}
          description={of.settledNote}
        />
      )}
    </>
  )
}
