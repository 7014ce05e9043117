import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { SIGHT } from '../../../platform/contract/personal.ts'
import { asks } from '../../../platform/web/ask.ts'
import { time, yuan } from '../../../platform/web/format.ts'
import { FormDialog, useFill } from '../../../platform/web/form/FormDialog.tsx'
import { can } from '../../../platform/web/person.ts'
import { useRested } from '../../../platform/web/form/rested.ts'
import { Select } from '../../../platform/web/form/Select.tsx'
import { NoChoice } from '../../../platform/web/page/states.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { etc, type EtcPassage, EtcState } from '../contract/etc.ts'
import { deductAsked } from './lists.ts'

type Deduct = Pick<Of<typeof EtcPassage>, 'deductNo' | 'amountFen' | 'plateNo' | 'tradeTime'>
const SHOWN = 20

/** Asks for money of a deduction to go back: of the one that is given, or one that is found by its plate. */
export const EtcRefundApply = ({ of, onClose }: { of?: Deduct; onClose: () => void }) => (
  <FormDialog
    title={
      of
        ? [`申请 ETC 退款 · ${of.plateNo ?? of.deductNo}`, `Request ETC refund · ${of.plateNo ?? of.deductNo}`]
        : ['申请 ETC 退款', 'Request ETC refund']
    }
    entity={etc.refundApply.input}
    mode="new"
    value={of ? { deductNo: of.deductNo, amountFen: of.amountFen } : {}}
    save={etc.refundApply}
    act={({ amountFen }) => [`申请退款 ¥${yuan(amountFen ?? 0)}`, `Request a refund of ¥${yuan(amountFen ?? 0)}`]}
    done={['已提交，等待审核', 'Submitted; pending approval']}
    changes={[etc.refund, etc.deduct]}
    fields={[
      {
        name: 'deductNo',
        label: ['扣费', 'Deduction'],
        control: <DeductSelect {...(of && { of })} />,
        help: ['扣费成功的交易；不输入时列出最近的', 'Deductions that succeeded; the latest ones until you type'],
      },
      'amountFen',
      'reason',
      'note',
    ]}
    onClose={onClose}
  />
)

interface Props {
  of?: Deduct
  id?: string
  value?: string
  onChange?: (value: string | undefined) => void
}
/** Why nothing is found, for a reader who is not shown plates. */
const COVERED: Text = [
  '您的角色不能查看车牌，请输入完整车牌或完整扣费流水号',
  'Your role does not show plates: type a whole plate or a whole deduction number',
]
/** A deduction that succeeded, by any part of its plate or by its number. Its amount is the one proposed to go back. */
function DeductSelect({ of, onChange, ...props }: Props) {
  const say = useText()
  const fill = useFill()
  const seesPlates = can(SIGHT.plate)
  const [typed, setTyped] = useState('')
  const asked = useRested(typed.trim())
  const deductions = useQuery(
    asks(
      etc.deduct,
      {
        etcState: [EtcState.done],
        ...deductAsked(asked, seesPlates),
        orderByColumn: 'tradeTime',
        isAsc: false,
        limit: SHOWN,
        queryMode: 'rows',
      },
      { quiet: true },
    ),
  )
  const found: readonly Deduct[] = deductions.data?.records ?? []
  const all = of && asked === '' && found.every(({ deductNo }) => deductNo !== of.deductNo) ? [of, ...found] : found
  return (
    <Select
      {...props}
      allowClear
      showSearch={{ filterOption: false, onSearch: setTyped }}
      loading={deductions.isFetching}
      placeholder={say(seesPlates ? ['输入车牌任意几位，或扣费流水号', 'Type any part of a plate, or a deduction number'] : COVERED)}
      notFoundContent={
        <NoChoice of={deductions} none={seesPlates || asked === '' ? ['没有扣费成功的交易', 'No deductions that succeeded'] : COVERED} />
      }
      onChange={(chosen: string | undefined) => {
        onChange?.(chosen)
        fill({ amountFen: all.find(({ deductNo }) => deductNo === chosen)?.amountFen })
      }}
      options={all.map((one) => ({
        value: one.deductNo,
        label: [one.plateNo, `¥${yuan(one.amountFen)}`, time(one.tradeTime), one.deductNo].filter((part) => part !== null).join(' · '),
      }))}
    />
  )
}
