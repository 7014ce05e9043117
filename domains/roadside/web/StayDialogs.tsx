import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Form } from 'antd'
import { useRef, useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { isWholePlate, normalizePlate } from '../../../platform/contract/plate.ts'
import { cityTime } from '../../../platform/contract/time.ts'
import { asks } from '../../../platform/web/ask.ts'
import { yuan } from '../../../platform/web/format.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { PayState, SessionStatus } from '../../parking/contract/stay.ts'
import { CHOOSE } from '../../parking/web/api/names.tsx'
import { EvidenceKind, type RoadStay, roadStay } from '../contract/roadStay.ts'
import { STAY_CHANGES } from './changes.ts'
import { DistrictSelect } from './api/names.tsx'
import { CashSlip, type Paid } from './CashSlip.tsx'
import { CashChange } from '../../settlement/web/api/CashChange.tsx'

export type Row = Of<typeof RoadStay>
interface Props {
  of: Row
  onClose: () => void
}
const KEPT: Text = ['原因会写入变更记录', 'The reason is kept in the change history']
const nameOf = ({ plateNo, seatCode }: Row) => [plateNo, seatCode].filter(Boolean).join(' ')
const keyOf = ({ id, version }: Row) => ({ id, version })
const shared = { changes: STAY_CHANGES } as const

/** One that nobody knew yet is filled in; one that was misread or mistyped is corrected. */
export const plateAct = ({ plateNo }: Row): Text => (plateNo === null ? ['补车牌', 'Fill in plate'] : ['修正车牌', 'Correct plate'])
/** The plate as a person sees it. */
export function FillPlate({ of, onClose }: Props) {
  const known = of.plateNo !== null
  const [zh, en] = known ? plateAct(of) : ['补录车牌', 'Fill in plate']
  return (
    <FormDialog
      {...shared}
      title={[`${zh} · ${nameOf(of)}`, `${en} · ${nameOf(of)}`]}
      entity={roadStay.fillPlate.input}
      mode="edit"
      value={{ ...keyOf(of), ...(of.plateNo !== null && { plateNo: of.plateNo }), ...(of.plateColor !== null && { plateColor: of.plateColor }) }}
      save={roadStay.fillPlate}
      act={[zh, en]}
      done={known ? ['车牌已修正', 'Plate corrected'] : ['车牌已补录', 'Plate filled in']}
      fields={[
        'plateNo',
        { name: 'plateColor', optional: true, help: ['颜色决定车型与费率', 'The colour decides the vehicle class and the tariff'] },
        { name: 'image', optional: true },
        { name: 'special', optional: true },
        { name: 'reason', optional: true, help: KEPT },
      ]}
      onClose={onClose}
    />
  )
}

export function AddEvidence({ of, onClose }: Props) {
  return (
    <FormDialog
      {...shared}
      title={[`取证 · ${nameOf(of)}`, `Evidence · ${nameOf(of)}`]}
      entity={roadStay.addEvidence.input}
      mode="new"
      value={{
        ...keyOf(of),
        kind: of.leftAt ? EvidenceKind.leave : EvidenceKind.arrive,
        at: of.leftAt ?? of.arrivedAt,
        showsBerth: true,
        showsPlate: true,
      }}
      save={roadStay.addEvidence}
      act={['保存取证', 'Save evidence']}
      done={['取证已保存', 'Evidence saved']}
      fields={[
        'kind',
        'at',
        {
          name: 'image',
          help: ['驶入、驶离各一张，须拍到泊位号和车牌', 'One of the arrival and one of the departure, each showing the berth number and plate'],
        },
        { name: 'showsBerth', optional: true },
        { name: 'showsPlate', optional: true },
      ]}
      onClose={onClose}
    />
  )
}

export function Split({ of, onClose }: Props) {
  return (
    <FormDialog
      {...shared}
      title={[`拆分 · ${nameOf(of)}`, `Split · ${nameOf(of)}`]}
      entity={roadStay.split.input}
      mode="edit"
      value={keyOf(of)}
      save={roadStay.split}
      act={['拆成两条', 'Split in two']}
      done={['已拆分，费用重新计算', 'Split; the fees were recalculated']}
      fields={[
        {
          name: 'at',
          help: [
            `前一辆车离开、后一辆车停入的时间，在 ${cityTime(of.arrivedAt)} 与 ${of.leftAt ? cityTime(of.leftAt) : '现在'} 之间；原记录作废`,
            `When the first car had left and the second had parked, between ${cityTime(of.arrivedAt)} and ${of.leftAt ? cityTime(of.leftAt) : 'now'}; the original record is voided`,
          ],
        },
        { name: 'reason', help: KEPT },
      ]}
      onClose={onClose}
    />
  )
}

export function Merge({ ticked, onClose }: { ticked: readonly Row[]; onClose: () => void }) {
  return (
    <FormDialog
      {...shared}
      title={[`合并 · ${ticked.map(nameOf).join(' + ')}`, `Merge · ${ticked.map(nameOf).join(' + ')}`]}
      entity={roadStay.merge.input}
      mode="edit"
      value={{ ids: ticked.map(({ id }) => id) }}
      save={roadStay.merge}
      act={['合并为一条', 'Merge into one']}
      done={['已合并，费用重新计算', 'Merged; the fee was recalculated']}
      fields={[
        {
          name: 'reason',
          help: ['同一泊位、前后间隔不超过 60 分钟；原记录作废', 'On the same berth, at most 60 minutes apart; the original records are voided'],
        },
      ]}
      onClose={onClose}
    />
  )
}

/** A collector sees a car on a berth. */
export function Arrive({ parkCode, seatCode, onClose }: { parkCode?: string; seatCode?: string; onClose: () => void }) {
  return (
    <FormDialog
      {...shared}
      title={seatCode ? [`登记驶入 · ${seatCode}`, `Record arrival · ${seatCode}`] : ['登记驶入', 'Record arrival']}
      entity={roadStay.arrive.input}
      mode="new"
      value={{ ...(parkCode && { parkCode }), ...(seatCode && { seatCode }), showsBerth: true, showsPlate: true }}
      save={roadStay.arrive}
      act={['登记驶入', 'Record arrival']}
      done={['已登记', 'Arrival recorded']}
      fields={[
        ...(parkCode ? [] : [{ name: 'parkCode' as const, label: ['片区', 'District'] as const, control: <DistrictSelect empty={CHOOSE} /> }]),
        ...(seatCode ? [] : ['seatCode' as const]),
        'plateNo',
        { name: 'plateColor', optional: true },
        { name: 'at', optional: true, help: ['不填为现在', 'If empty, the current time is used'] },
        { name: 'leftAt', optional: true, help: ['补登已经离开的车时填写', 'For a car that has left already'] },
        { name: 'image', optional: true },
        { name: 'special', optional: true },
        {
          name: 'reason',
          optional: true,
          help: [
            '该车在别的泊位有未结束的停车、仍要登记时填写',
            'Only for a car that has an open stay on another berth, and is recorded here anyway',
          ],
        },
      ]}
      below={<StandsElsewhere {...(parkCode && { parkCode })} {...(seatCode && { seatCode })} />}
      onClose={onClose}
    />
  )
}

/** The car that is typed stands on another berth, by the records: said before it is sent, with the way to end that stay. */
function StandsElsewhere({ parkCode, seatCode }: { parkCode?: string; seatCode?: string }) {
  const say = useText()
  const form = Form.useFormInstance()
  const plateNo = normalizePlate(String(Form.useWatch('plateNo', form) ?? ''))
  const [leaving, setLeaving] = useState<Row>()
  const { data } = useQuery({
    ...asks(roadStay.present, { plateNo, ...(parkCode && { parkCode }), current: 1, limit: 2 }, { quiet: true }),
    enabled: isWholePlate(plateNo),
  })
  const other = data?.records.find((one) => one.plateNo === plateNo && one.seatCode !== seatCode && one.status === SessionStatus.present)
  if (!other || !isWholePlate(plateNo)) return null
  return (
    <>
      <Alert
        showIcon
        type="warning"
        title={say([
          `该车在 ${other.seatCode} 有未结束的停车（${cityTime(other.arrivedAt).slice(0, 16)} 驶入）`,
          `This car has an open stay on ${other.seatCode} (since ${cityTime(other.arrivedAt).slice(0, 16)})`,
        ])}
        action={
          <Button size="small" onClick={() => setLeaving(other)}>
            {say(['结束那次停车', 'End that stay'])}
          </Button>
        }
      />
      {leaving && <Leave of={leaving} onClose={() => setLeaving(undefined)} />}
    </>
  )
}

export function Leave({ of, onClose }: Props) {
  return (
    <FormDialog
      {...shared}
      title={[`登记驶离 · ${nameOf(of)}`, `Record departure · ${nameOf(of)}`]}
      entity={roadStay.leave.input}
      mode="edit"
      value={{ ...keyOf(of), showsBerth: true, showsPlate: true }}
      save={roadStay.leave}
      act={['登记驶离', 'Record departure']}
      done={['已登记驶离', 'Departure recorded']}
      fields={[
        {
          name: 'at',
          optional: true,
          help: ['不填为现在；未缴的费用三分钟后转为欠费', 'If empty, the current time is used; an unpaid fee becomes arrears after three minutes'],
        },
        { name: 'image', optional: true },
      ]}
      onClose={onClose}
    />
  )
}

const NOTHING_DUE: Text = ['现在没有应付金额，无需收费', 'Nothing is due now']
const CHECKED: Text = ['费用核对中，核对完才能收费', 'The fee is being checked: collect it afterwards']
/** Cash at the berth: the amount is what is due at this moment. */
export function Collect({ of, onClose }: Props) {
  const { data } = useQuery({ ...asks(roadStay.story, { id: of.id }), gcTime: 0 })
  const [paid, setPaid] = useState<Paid>()
  // The dialog closes when it is saved; the receipt stands in its place then.
  const isPaid = useRef(false)
  if (paid) return <CashSlip of={of} paid={paid} onClose={onClose} />
  if (!data) return null
  const { stay, dueFen } = data
  const due = yuan(dueFen)
  const act = (fen: number): Text => [`确认收款 ¥${yuan(fen)}`, `Take ¥${yuan(fen)}`]
  const gone = stay.payState === PayState.checking ? CHECKED : dueFen === 0 ? NOTHING_DUE : undefined
  return (
    <FormDialog
      {...shared}
      title={[`收取现金 · ${nameOf(stay)} · ¥${due}`, `Take cash · ${nameOf(stay)} · ¥${due}`]}
      entity={roadStay.collect.input}
      mode="edit"
      value={{ id: stay.id, version: stay.version, amountFen: dueFen }}
      save={roadStay.collect}
      act={({ amountFen }) => act(amountFen ?? dueFen)}
      gone={gone}
      about={gone ? undefined : <CashChange dueFen={dueFen} />}
      done={['已收款，记入您的收银班次', 'Collected and booked to your current shift']}
      onSaved={(reply) => {
        isPaid.current = true
        setPaid(reply as Paid)
      }}
      fields={[
        {
          name: 'amountFen',
          help: ['与应付不符时不会入账', 'An amount other than what is due is not accepted'],
          check: ({ amountFen }) =>
            gone || amountFen === dueFen ? undefined : [`现在应付 ¥${due}，金额须一致`, `¥${due} is due now: the amount must match`],
        },
      ]}
      onClose={() => isPaid.current || onClose()}
    />
  )
}
