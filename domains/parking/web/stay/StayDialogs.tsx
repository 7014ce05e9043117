import { useQuery } from '@tanstack/react-query'
import { Form } from 'antd'
import { useEffect, useState } from 'react'
import type { Of } from '../../../../platform/contract/field.ts'
import { normalizePlate } from '../../../../platform/contract/plate.ts'
import { asks } from '../../../../platform/web/ask.ts'
import { yuan } from '../../../../platform/web/format.ts'
import { FormDialog } from '../../../../platform/web/form/FormDialog.tsx'
import { toast } from '../../../../platform/web/page/hosts.tsx'
import { plural } from '../../../../platform/contract/plural.ts'
import { optionsOf } from '../../../../platform/web/form/inputs.tsx'
import { Select } from '../../../../platform/web/form/Select.tsx'
import { type Text, useText } from '../../../../platform/web/text.ts'
import { Pictures, shapesOf, Time } from '../../../../platform/web/value.tsx'
import { type Cleared, clearing, ClearingState, SECOND_PERSON_FEN } from '../../contract/clearing.ts'
import { Handling, stay, type StayRow, SessionStatus } from '../../contract/stay.ts'
import { STAY_CHANGES } from './changes.ts'
import { CHOOSE, ChosenGate, ChosenPark, GateName, ParkName, ParkSelect, useParks } from '../api/names.tsx'
import { FeeChoice, Direction } from '../../contract/gate.ts'
import { Choice } from '../lane/OpenGate.tsx'

type Named = Pick<StayRow, 'id' | 'version' | 'plateNo' | 'plateColor'>
const REASON: Text = ['原因会写入变更记录', 'The reason is kept in the changes']
const OLDER_KEPT: Text = ['已离场的记录会作废，并以更正后的新记录代替', 'A record that has left is voided and replaced by a corrected one']

/** A misread plate put right; the reading itself stays in the record. */
export function CorrectPlate({ of, onClose }: { of: Named & { status?: number }; onClose: () => void }) {
  const final = of.status === SessionStatus.left
  return (
    <FormDialog
      title={[`修正车牌 · ${of.plateNo}`, `Correct plate · ${of.plateNo}`]}
      entity={stay.correctPlate.input}
      mode="edit"
      value={{
        id: of.id,
        version: of.version,
        ...(of.plateNo !== null && { plateNo: of.plateNo }),
        ...(of.plateColor !== null && { plateColor: of.plateColor }),
      }}
      save={stay.correctPlate}
      act={['修正车牌', 'Correct plate']}
      done={['车牌已修正', 'Plate corrected']}
      changes={STAY_CHANGES}
      fields={[
        { name: 'plateNo', ...(final && { help: OLDER_KEPT }) },
        { name: 'plateColor', optional: true, help: ['车牌颜色决定车型与费率', 'The plate colour determines the vehicle class and tariff'] },
        { name: 'reason', help: REASON },
        {
          name: 'special',
          label: ['特殊车牌', 'Special plate'],
          optional: true,
          help: ['临牌、应急等不在标准格式内的车牌', 'Temporary, emergency and other plates outside the standard'],
        },
      ]}
      onClose={onClose}
    />
  )
}

export function CorrectTimes({ of, onClose }: { of: StayRow; onClose: () => void }) {
  return (
    <FormDialog
      title={[`更正时间 · ${of.plateNo}`, `Correct the times · ${of.plateNo}`]}
      entity={stay.correctTimes.input}
      mode="edit"
      value={{ id: of.id, version: of.version, ...(of.entryTime && { entryTime: of.entryTime }), ...(of.exitTime && { exitTime: of.exitTime }) }}
      save={stay.correctTimes}
      act={['更正时间', 'Correct the times']}
      done={['时间已更正', 'Times corrected']}
      changes={STAY_CHANGES}
      fields={[
        { name: 'entryTime', optional: true, ...(of.status === SessionStatus.left && { help: OLDER_KEPT }) },
        ...(of.exitTime ? [{ name: 'exitTime' as const, optional: true }] : []),
        { name: 'reason', help: REASON },
      ]}
      onClose={onClose}
    />
  )
}

/** Another car left in this record: whose it was is read off the exit's picture. */
export function UndoExit({ of, onClose }: { of: StayRow; onClose: () => void }) {
  const say = useText()
  return (
    <FormDialog
      title={[`撤销离场 · ${of.plateNo}`, `Undo the exit · ${of.plateNo}`]}
      entity={stay.undoExit.input}
      mode="new"
      value={{ id: of.id, version: of.version }}
      save={stay.undoExit}
      act={['撤销离场', 'Undo the exit']}
      done={[`${of.plateNo} 已恢复在场`, `${of.plateNo} is present again`]}
      changes={STAY_CHANGES}
      about={
        <div className="dialog-about">
          <p>
            <ParkName code={of.parkCode} still /> · <GateName code={of.exitGate} /> · <Time at={of.exitTime} />
          </p>
          {of.exitImage && <Pictures addresses={of.exitImage} height={120} />}
          <ul>
            {undoes(of.plateNo).map((one) => (
              <li key={one[1]}>{say(one)}</li>
            ))}
          </ul>
        </div>
      }
      fields={[
        {
          name: 'leftPlateNo',
          help: of.exitImage
            ? ['按上面的出口图片填写', 'Enter the plate shown in the exit picture above']
            : ['没有出口图片，请查监控录像', 'There is no exit picture: check the video recording'],
          check: ({ leftPlateNo }) => (normalizePlate(String(leftPlateNo ?? '')) === of.plateNo ? THE_SAME : undefined),
        },
        { name: 'reason', help: REASON },
      ]}
      onClose={onClose}
    />
  )
}
const THE_SAME: Text = ['与本记录的车牌相同，请填另一辆车', 'This is the plate of this record: enter the other car’s']
const undoes = (plateNo: string | null): Text[] => [
  [`本记录作废，${plateNo} 恢复在场，按原入场时间继续计费`, `This record is voided; ${plateNo} is present again and billed from when it entered`],
  [
    '离场和出口收的钱记到实际离场的车；多收的，在它的订单里申请退款',
    'The exit and what was paid there go to the car that left; refund any excess from its order',
  ],
  [
    '这次离场用掉的停车券、充电减免和共享车位预约不会恢复',
    'Coupons, charging waivers and shared-bay bookings that this exit used up are not restored',
  ],
]

const HANDLING_HELP: Text = [
  '确认离场：车已不在场，关闭记录；恢复在场：车还在，继续计时；作废：这条记录不该存在，所收款项须已全额退还',
  'Confirm exit: the car is gone and the record is closed. Restore as present: it is still inside and time keeps running. Void: the record should not exist; all that was paid on it must have been refunded',
]
const STREET_HELP: Text = [
  '确认离场：车已驶离，按驶离时间计费，未缴的记欠费；恢复在场：车还在，继续计时；作废：这条记录不该存在，所收款项须已全额退还',
  'Confirm exit: the car is gone, its fee is worked out up to the exit time and what is unpaid becomes arrears. Restore as present: it is still there and time keeps running. Void: the record should not exist; all that was paid on it must have been refunded',
]
const FEE_HELP: Text = [
  '确认离场且有未缴或算不出的费用时必选：免费＝免收，欠费＝记入欠费待追缴，已现金＝登记为已收现金',
  'Required to confirm an exit with a fee unpaid or unknown: free waives it, arrears records it as owed, cash records it as paid in cash',
]
/** The button says which of them. */
function handlingAct(handling: keyof typeof Handling.entries | null | undefined, plateNo: string | null): Text {
  if (!handling) return ['确认处理', 'Resolve']
  const [zh, en] = Handling.entries[handling]
  return [[zh, plateNo].filter(Boolean).join(' '), [en, plateNo].filter(Boolean).join(' ')]
}
/** Resolves an abnormal stay: left, present again, or void. */
export function HandleAbnormal({ of, onClose }: { of: StayRow; onClose: () => void }) {
  return (
    <FormDialog
      title={[`处理异常 · ${of.plateNo}`, `Handle · ${of.plateNo}`]}
      entity={stay.handle.input}
      mode="edit"
      value={{ id: of.id, version: of.version, ...(of.exitTime && { exitTime: of.exitTime }) }}
      save={stay.handle}
      act={({ handling }) => handlingAct(handling, of.plateNo)}
      done={['已处理', 'Handled']}
      changes={STAY_CHANGES}
      fields={[
        { name: 'handling', control: <Choice of={Handling} first />, help: of.seatCode === null ? HANDLING_HELP : STREET_HELP },
        { name: 'exitTime', optional: true, help: ['仅确认离场时需要', 'Only needed to confirm an exit'] },
        ...(of.seatCode === null ? [{ name: 'fee' as const, control: <Choice of={FeeChoice} />, optional: true, help: FEE_HELP }] : []),
        { name: 'reason', help: REASON },
      ]}
      onClose={onClose}
    />
  )
}

/** A car at an exit that nobody saw coming in: its record is none. */
export function VoidUnseen({ of, onClose }: { of: StayRow; onClose: () => void }) {
  return (
    <FormDialog
      title={[`作废 · ${of.plateNo}`, `Void · ${of.plateNo}`]}
      entity={stay.handle.input}
      mode="new"
      value={{ id: of.id, version: of.version, handling: Handling.void }}
      save={stay.handle}
      act={['作废', 'Void']}
      done={['已作废', 'Voided']}
      changes={STAY_CHANGES}
      fields={[
        {
          name: 'reason',
          help: [
            '这条记录没有入场，不该存在时作废：待付的订单取消，出口车道清空；车还在出口的，重新识别后另行处理',
            'For a record without an entry that should not exist: its unpaid order is cancelled and the exit lane is cleared. A car that still stands there is read and decided on again',
          ],
        },
      ]}
      onClose={onClose}
    />
  )
}

/** A car that came in unseen, entered by hand. */
export function Supplement({ parkCode, onClose }: { parkCode?: string | undefined; onClose: () => void }) {
  return (
    <FormDialog
      title={['补录入场', 'Enter a car by hand']}
      entity={stay.supplement.input}
      mode="new"
      value={parkCode ? { parkCode } : {}}
      save={stay.supplement}
      act={['补录入场', 'Enter the car']}
      done={['已补录', 'Entered']}
      changes={STAY_CHANGES}
      fields={[
        { name: 'parkCode', label: ['车场', 'Car park'], control: <ChosenPark clears="entryGate" /> },
        'plateNo',
        { name: 'plateColor', optional: true },
        'entryTime',
        { name: 'entryGate', optional: true, control: <ChosenGate direction={Direction.entrance} /> },
        { name: 'special', label: ['特殊车牌', 'Special plate'], optional: true },
        { name: 'reason', help: REASON },
      ]}
      onClose={onClose}
    />
  )
}

/** Cars that are inside only on paper: those ticked, or all that fit. It counts first what it gives up. */
export function ClearField({ ticked = [], onClose }: { ticked?: readonly StayRow[]; onClose: () => void }) {
  const some = ticked.length > 0
  const [counted, tell] = useState<Counted>()
  const parks = useParks()
  const parkOf = (code: string) => parks.find(({ parkCode }) => parkCode === code)?.name ?? code
  const help: Text = [
    '清场的车按离场处理，不收费、不记欠费；24 小时内可整批撤销',
    'Cleared cars leave without a fee or arrears; the whole batch can be undone within 24 hours',
  ]
  const fixed = some ? { parkCode: ticked[0]!.parkCode, ids: ticked.map(({ id }) => id) } : {}
  const park = some ? parkOf(ticked[0]!.parkCode) : ''
  return (
    <FormDialog
      title={some ? [`${park} · 清场 ${ticked.length} 辆`, `${park} · Clear ${carsOf(ticked.length)}`] : ['按条件清场', 'Clear by condition']}
      entity={stay.clear.input}
      mode="new"
      value={fixed}
      save={stay.clear}
      act={counted ? clearingOf(counted) : ['清场', 'Clear']}
      waits={!counted?.count}
      onSaved={(reply) => toast('success', (reply as Of<typeof Cleared>).state === ClearingState.waiting ? ASKED : ['已清场', 'Cleared'])}
      changes={[...STAY_CHANGES, clearing.query]}
      fields={
        some
          ? [{ name: 'reason', help }]
          : [
              { name: 'parkCode', label: ['车场', 'Car park'], control: <ParkSelect empty={CHOOSE} /> },
              { name: 'enteredBefore', help: ['只清此时间之前入场的车', 'Only cars that came in before'] },
              { name: 'carKindIn', optional: true, control: <KindSelect /> },
              { name: 'reason', help },
            ]
      }
      below={<ToClear fixed={fixed} tell={tell} />}
      onClose={onClose}
    />
  )
}
/** No choice means every kind. */
const KindSelect = (control: { id?: string; value?: number; onChange?: (value: number | undefined) => void }) => {
  const say = useText()
  const shape = shapesOf(stay.clear.input)['carKindIn']!
  return <Select {...control} allowClear placeholder={say(['全部', 'All'])} options={optionsOf(shape, say)} />
}
type Counted = Of<typeof stay.countToClear.reply>
const carsOf = (n: number) => `${n} ${plural(n, 'car')}`
const clearingOf = ({ count, amountFen, waits }: Counted): Text =>
  waits
    ? [`申请清场 ${count} 辆，放弃 ¥${yuan(amountFen)}`, `Request to clear ${carsOf(count)}, giving up ¥${yuan(amountFen)}`]
    : [`清场 ${count} 辆，放弃 ¥${yuan(amountFen)}`, `Clear ${carsOf(count)}, give up ¥${yuan(amountFen)}`]
const ASKED: Text = ['已提交，待另一人审核；进度见「清场记录」', 'Submitted: another person approves it; see “Clearings”']

/** Counts the cars that the conditions cover, again whenever these change. */
function ToClear({ fixed, tell }: { fixed: object; tell: (counted: Counted | undefined) => void }) {
  const say = useText()
  const form = Form.useFormInstance()
  const wanted = {
    parkCode: Form.useWatch('parkCode', form),
    enteredBefore: Form.useWatch('enteredBefore', form),
    carKindIn: Form.useWatch('carKindIn', form),
    ...fixed,
  } as Of<typeof stay.countToClear.input>
  const isSaid = Boolean(wanted.parkCode && (wanted.enteredBefore || 'ids' in fixed))
  const { data, isFetching, isError } = useQuery({ ...asks(stay.countToClear, given(wanted), { quiet: true }), enabled: isSaid, staleTime: 0 })
  const counted = isSaid && !isFetching && !isError ? data : undefined
  useEffect(() => tell(counted), [counted])
  if (!isSaid) return null
  return (
    <p role="status">
      {say(isError ? ['统计失败，请调整条件后重试', 'Counting failed: change a condition and try again'] : counted ? toClear(counted) : COUNTING)}
    </p>
  )
}
const COUNTING: Text = ['正在统计…', 'Counting…']
const given = <O extends object>(some: O) =>
  Object.fromEntries(Object.entries(some).filter(([, value]) => value !== undefined && value !== null)) as O
function toClear({ count, amountFen, free, unpriced, waits }: Counted): Text {
  if (count === 0)
    return ['没有符合条件的在场车辆，请放宽时间或换车场', 'No cars inside match these conditions: widen the time or choose another car park']
  const ofThem: Text =
    free > 0
      ? [`；其中 ${free} 辆本就免费（名单、特种车或应急常开）`, `; ${free} would leave free anyway (lists, special vehicles, emergency)`]
      : ['', '']
  const without: Text = unpriced > 0 ? [`；其中 ${unpriced} 辆算不出费用`, `; ${unpriced} could not be priced`] : ['', '']
  const second: Text = waits
    ? [
        `。24 小时内放弃合计达到 ¥${yuan(SECOND_PERSON_FEN)} 需另一人审核，审核通过前车辆仍在场`,
        `. From ¥${yuan(SECOND_PERSON_FEN)} within 24 hours another person approves; until then the cars stay present`,
      ]
    : ['', '']
  return [
    `将清场 ${count} 辆，放弃到此刻为止的停车费 ¥${yuan(amountFen)}${ofThem[0]}${without[0]}${second[0]}`,
    `This clears ${carsOf(count)} and gives up ¥${yuan(amountFen)} of fees so far${ofThem[1]}${without[1]}${second[1]}`,
  ]
}
