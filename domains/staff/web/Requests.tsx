import { useQuery } from '@tanstack/react-query'
import { Button, Form, Segmented } from 'antd'
import { type ReactNode, useState } from 'react'
import type { Day, Of } from '../../../platform/contract/field.ts'
import { DAY_MS } from '../../../platform/contract/time.ts'
import { asks } from '../../../platform/web/ask.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { cityDay, time } from '../../../platform/web/format.ts'
import { ListScreen, type RowAction } from '../../../platform/web/list/ListScreen.tsx'
import { can, person } from '../../../platform/web/person.ts'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { Select } from '../../../platform/web/form/Select.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { findPark } from '../../parking/web/api/names.tsx'
import { request, requestCan, type RequestLine, requestSearch, RequestState, RequestType, LeaveKind } from '../contract/request.ts'
import { CellState, schedule } from '../contract/roster.ts'
import { CollectorSelect, useParkColumn } from './choices.tsx'
import { CardKind } from '../contract/attendance.ts'

type Row = Of<typeof RequestLine>
const CHANGES = [request.query, request.mine, schedule.cells, schedule.query]

/** Requests of collectors, and who decides each. */
export function Requests({ toolbar }: { toolbar: ReactNode }) {
  const say = useText()
  const park = useParkColumn()
  const [applying, setApplying] = useState<'own' | 'other'>()
  const [rejecting, setRejecting] = useState<Row>()
  const actionsOf = useActions(setRejecting)
  return (
    <>
      <ListScreen
        purpose={[
          '请假、调班、替班与补卡的申请；通过后排班与考勤随之变更',
          'Requests for leave, swaps, stand-ins and missed punches; granting one updates roster and attendance',
        ]}
        query={request.query}
        search={requestSearch}
        toolbar={
          <>
            {toolbar}
            {can(request.applyFor.needs) && <Button onClick={() => setApplying('other')}>{say(['代为申请', 'Request for someone'])}</Button>}
          </>
        }
        add={{ call: request.apply, open: () => setApplying('own'), text: ['提交申请', 'New request'] }}
        find={['state', 'type', 'name', 'workDate', 'tollNo', 'requestNo', findPark]}
        columns={[
          'requestNo',
          'name',
          'type',
          'workDate',
          'shiftName',
          'toName',
          'leaveKind',
          'cardTime',
          'reason',
          'state',
          park,
          'opinion',
          'decidedName',
          'createdAt',
        ]}
        hidden={['opinion', 'createdAt']}
        roomy={['leaveKind', 'cardTime', 'decidedName']}
        actions={actionsOf}
        empty={['还没有申请', 'No requests yet']}
      />
      {applying && <Applying forOther={applying === 'other'} onClose={() => setApplying(undefined)} />}
      {rejecting && <Rejecting of={rejecting} onClose={() => setRejecting(undefined)} />}
    </>
  )
}

const ref = ({ id, version }: Row) => ({ id, version })
/** The actions on a request: the applicant may withdraw it, the partner of a swap answers, and their leader decides. */
function useActions(reject: (of: Row) => void): (row: Row) => RowAction[] {
  const act = useAct(CHANGES)
  const { data: me } = useQuery({ ...asks(request.mine, {}, { quiet: true }), enabled: can(request.mine.needs) })
  const isMine = ({ tollNo }: Row) => me?.tollNo === tollNo
  const isForMe = ({ toTollNo }: Row) => !!me?.tollNo && me.tollNo === toTollNo
  const mayDecide = (row: Row) => !isMine(row) && !isForMe(row) && me?.leads !== false && requestCan.grant(row.state) !== undefined
  return (row) => [
    ...(row.state === RequestState.partner && isForMe(row)
      ? [
          {
            text: ['同意', 'Agree'] as const,
            needs: request.respond.needs,
            run: () => void act(request.respond, { ...ref(row), accept: true }, { done: ['已同意', 'Agreed'] }),
          },
          {
            text: ['不同意', 'Decline'] as const,
            needs: request.respond.needs,
            run: () => void act(request.respond, { ...ref(row), accept: false }, { done: ['已答复', 'Answered'] }),
          },
        ]
      : []),
    ...(mayDecide(row)
      ? [
          {
            text: ['通过', 'Grant'] as const,
            needs: request.decide.needs,
            run: () => void act(request.decide, { ...ref(row), pass: true }, granting(row)),
          },
          { text: ['驳回', 'Reject'] as const, needs: request.decide.needs, run: () => reject(row), danger: true },
        ]
      : []),
    ...((isMine(row) || row.askedById === person.get()?.custId) && requestCan.withdraw(row.state) !== undefined
      ? [
          {
            text: ['撤回', 'Withdraw'] as const,
            needs: request.withdraw.needs,
            run: () => void act(request.withdraw, ref(row), { done: ['已撤回', 'Withdrawn'] }),
          },
        ]
      : []),
  ]
}

function Rejecting({ of, onClose }: { of: Row; onClose: () => void }) {
  return (
    <FormDialog
      title={['驳回申请', 'Reject request']}
      entity={request.decide.input}
      mode="new"
      value={{ ...ref(of), pass: false }}
      save={request.decide}
      act={['驳回', 'Reject']}
      done={['已驳回', 'Rejected']}
      changes={CHANGES}
      fields={[{ name: 'opinion', needed: true, help: ['申请人会看到', 'The applicant will see it'] }]}
      onClose={onClose}
    />
  )
}

interface PickProps {
  id?: string
  value?: string
  onChange?: (value: string) => void
}
interface Choice {
  id: string
  workDate: string
  shiftName: string
  startAt: string | null
}
const optionsOf = (cells: readonly Choice[]) =>
  cells.map(({ id, workDate, shiftName, startAt }) => ({
    value: id,
    label: `${workDate} ${shiftName} ${startAt ? time(startAt).slice(11, 16) : ''}`,
  }))
/** Describes the effect of granting, before and after it. */
export function granting({ name, type, workDate, shiftName, toName, cardTime }: Row): { question: Text; detail: Text; act: Text; done: Text } {
  const [cell, other] = [`${name} ${workDate} ${shiftName}`, toName ?? '']
  const done: Record<TypeCode, Text> = {
    1: [`${cell} 记为请假`, `${cell} is on leave`],
    2: [`${cell} 与 ${other} 互换班次`, `${cell} is exchanged with a shift of ${other}`],
    3: [`${cell} 由 ${other} 替班`, `${cell} is worked by ${other}`],
    4: [`${cell} 补卡 ${cardTime ? time(cardTime).slice(0, 16) : ''}`, `${cell}: missed punch at ${cardTime ? time(cardTime).slice(0, 16) : ''}`],
  }
  const [zh, en] = done[type]
  return {
    question: ['通过该申请？', 'Grant this request?'],
    detail: [`通过后 ${zh}，排班与考勤随之变更`, `Once granted, ${en}; roster and attendance follow`],
    act: ['通过', 'Grant'],
    done: [`已通过：${zh}`, `Granted: ${en}`],
  }
}
function MyCells(props: PickProps) {
  const say = useText()
  const { data } = useQuery(asks(request.mine, {}, { quiet: true }))
  const none = data?.tollNo === null ? say(['您的账号没有关联收费员', 'Your account is not linked to a collector']) : say(['请选择', 'Choose'])
  return <Select {...props} placeholder={none} options={optionsOf(data?.cells ?? [])} />
}
/** Cells of the person chosen beside it, from the days on that may still be asked about. */
function CellsOf({ by, since, empty, ...props }: PickProps & { by: 'tollNo' | 'toTollNo'; since: Day; empty: Text }) {
  const say = useText()
  const tollNo = Form.useWatch(by) as string | undefined
  const asked = { tollNo: tollNo ?? '', state: WORKING, workDateFrom: since, limit: 100, isAsc: 'true' as never }
  const { data } = useQuery({ ...asks(schedule.cells, asked, { quiet: true }), enabled: tollNo !== undefined })
  return <Select {...props} placeholder={say(empty)} options={optionsOf(data?.records ?? [])} />
}
const WORKING = [CellState.planned, CellState.swapped, CellState.stoodIn]
const TheirCells = (props: PickProps) => <CellsOf {...props} by="toTollNo" since={cityDay()} empty={['先选择对方', 'Choose a partner first']} />
/** Sick leave and missed punches have three days. */
const LATE_MS = 3 * DAY_MS
const ApplicantCells = (props: PickProps) => (
  <CellsOf {...props} by="tollNo" since={cityDay(new Date(Date.now() - LATE_MS))} empty={['先选择收费员', 'Choose a collector first']} />
)
const FIELDS = {
  1: ['leaveKind'],
  2: [
    { name: 'toTollNo', label: ['换班对象', 'Colleague'], control: <CollectorSelect byNo /> },
    { name: 'toCellId', control: <TheirCells /> },
  ],
  3: [{ name: 'toTollNo', label: ['换班对象', 'Colleague'], control: <CollectorSelect byNo /> }],
  4: ['cardKind', 'cardTime'],
} as const
const HELP: Record<TypeCode, Text> = {
  1: ['已开始的班次只可申请病假，三天内有效', 'Once a shift has started only sick leave can be requested, within three days'],
  2: ['对方同意后由班组长审批，通过后双方班次互换', 'The partner agrees, then the leader decides; the two shifts are then exchanged'],
  3: ['对方同意后由班组长审批，通过后班次由对方上', 'The partner agrees, then the leader decides; the partner then works the shift'],
  4: ['班次开始后三天内可补卡，每月最多三次', 'Within three days of the start of the shift, at most three times a month'],
}
const FOR_OTHER: Text = ['日志记为您代收费员提交；须由其他人审批', 'The log says that you entered it for the collector; somebody else decides it']
type TypeCode = keyof typeof RequestType.entries
/** Each kind asks for what it needs, and no more. For somebody who rang in, the collector is chosen first. */
function Applying({ forOther, onClose }: { forOther: boolean; onClose: () => void }) {
  const say = useText()
  const [type, setType] = useState<TypeCode>(1)
  const kinds = Object.entries(RequestType.entries).map(([code, [zh, en]]) => ({ value: Number(code) as TypeCode, label: say([zh, en]) }))
  return (
    <FormDialog
      key={type}
      title={forOther ? ['代为申请', 'Request for someone'] : ['提交申请', 'New request']}
      entity={request.applyFor.input}
      mode="new"
      value={{
        type,
        ...(type === RequestType.leave && { leaveKind: LeaveKind.personal }),
        ...(type === RequestType.card && { cardKind: CardKind.in }),
      }}
      save={(forOther ? request.applyFor : request.apply) as typeof request.applyFor}
      act={['提交', 'Submit']}
      done={['已提交', 'Submitted']}
      changes={CHANGES}
      about={
        <>
          <Segmented<TypeCode> value={type} onChange={setType} options={kinds} />
          <p>{say(HELP[type])}</p>
          {forOther && <p>{say(FOR_OTHER)}</p>}
        </>
      }
      fields={[
        ...(forOther
          ? [
              { name: 'tollNo' as const, label: ['收费员', 'Collector'] as const, control: <CollectorSelect byNo /> },
              { name: 'cellId' as const, control: <ApplicantCells /> },
            ]
          : [{ name: 'cellId' as const, label: ['我的班次', 'My shift'] as const, control: <MyCells /> }]),
        ...FIELDS[type],
        'reason',
        { name: 'images', optional: true },
      ]}
      onClose={onClose}
    />
  )
}
