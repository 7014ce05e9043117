import { useQuery } from '@tanstack/react-query'
import { Form, Segmented } from 'antd'
import { type ReactNode, useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { FormDialog } from '../../../platform/web/FormDialog.tsx'
import { cityDay, time } from '../../../platform/web/format.ts'
import { ListScreen } from '../../../platform/web/ListScreen.tsx'
import { can } from '../../../platform/web/person.ts'
import { useAct } from '../../../platform/web/remove.tsx'
import { Select } from '../../../platform/web/Select.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { findPark } from '../../parking/web/api/names.tsx'
import { request, requestCan, type RequestLine, requestSearch, RequestState, RequestType, LeaveKind } from '../contract/request.ts'
import { schedule } from '../contract/schedule.ts'
import { CollectorSelect, useParkColumn } from './choices.tsx'
import { CardKind } from '../contract/attendance.ts'

type Row = Of<typeof RequestLine>
const CHANGES = [request.query, request.mine, schedule.cells, schedule.query]

/** What collectors ask for, and who decides it. */
export function Requests({ toolbar }: { toolbar: ReactNode }) {
  const park = useParkColumn()
  const act = useAct(CHANGES)
  const [applying, setApplying] = useState(false)
  const [rejecting, setRejecting] = useState<Row>()
  const ref = ({ id, version }: Row) => ({ id, version })
  const { data: me } = useQuery({ ...asks(request.mine, {}, { quiet: true }), enabled: can(request.mine.needs) })
  const isMine = ({ tollNo }: Row) => me?.tollNo === tollNo
  const isForMe = ({ toTollNo }: Row) => !!me?.tollNo && me.tollNo === toTollNo
  const mayDecide = (row: Row) => !isMine(row) && !isForMe(row) && me?.leads !== false && requestCan.grant(row.state) !== undefined
  return (
    <>
      <ListScreen
        purpose={[
          '请假、调班、替班与补卡的申请；通过后排班与考勤随之变更',
          'Requests for leave, swaps, stand-ins and cards; granting one updates roster and attendance',
        ]}
        query={request.query}
        search={requestSearch}
        toolbar={toolbar}
        add={{ call: request.apply, open: () => setApplying(true), text: ['提交申请', 'New request'] }}
        find={['state', 'type', 'name', 'workDate', 'tollNo', findPark]}
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
        actions={(row) => [
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
                  run: () => void act(request.decide, { ...ref(row), pass: true }, { done: ['已通过', 'Granted'] }),
                },
                { text: ['驳回', 'Reject'] as const, needs: request.decide.needs, run: () => setRejecting(row), danger: true },
              ]
            : []),
          ...(isMine(row) && requestCan.withdraw(row.state) !== undefined
            ? [
                {
                  text: ['撤回', 'Withdraw'] as const,
                  needs: request.withdraw.needs,
                  run: () => void act(request.withdraw, ref(row), { done: ['已撤回', 'Withdrawn'] }),
                },
              ]
            : []),
        ]}
        empty={['还没有申请', 'No requests yet']}
      />
      {applying && <Applying onClose={() => setApplying(false)} />}
      {rejecting && (
        <FormDialog
          title={['驳回申请', 'Reject request']}
          entity={request.decide.input}
          mode="new"
          value={{ ...ref(rejecting), pass: false }}
          save={request.decide}
          act={['驳回', 'Reject']}
          done={['已驳回', 'Rejected']}
          changes={CHANGES}
          fields={['opinion']}
          onClose={() => setRejecting(undefined)}
        />
      )}
    </>
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
function MyCells(props: PickProps) {
  const say = useText()
  const { data } = useQuery(asks(request.mine, {}, { quiet: true }))
  const none = data?.tollNo === null ? say(['您的账号没有关联收费员', 'Your account is not linked to a collector']) : say(['请选择', 'Choose'])
  return <Select {...props} placeholder={none} options={optionsOf(data?.cells ?? [])} />
}
/** Of whoever is chosen beside it. */
function TheirCells(props: PickProps) {
  const say = useText()
  const tollNo = Form.useWatch('toTollNo') as string | undefined
  const asked = { tollNo: tollNo ?? '', workDateFrom: cityDay(), limit: 100, isAsc: 'true' as never }
  const { data } = useQuery({ ...asks(schedule.cells, asked, { quiet: true }), enabled: tollNo !== undefined })
  return <Select {...props} placeholder={say(['先选择对方', 'Choose a partner first'])} options={optionsOf(data?.records ?? [])} />
}
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
type TypeCode = keyof typeof RequestType.entries
/** Each kind asks for what it needs, and no more. */
function Applying({ onClose }: { onClose: () => void }) {
  const say = useText()
  const [type, setType] = useState<TypeCode>(1)
  const kinds = Object.entries(RequestType.entries).map(([code, [zh, en]]) => ({ value: Number(code) as TypeCode, label: say([zh, en]) }))
  return (
    <FormDialog
      key={type}
      title={['提交申请', 'New request']}
      entity={request.apply.input}
      mode="new"
      value={{
        type,
        ...(type === RequestType.leave && { leaveKind: LeaveKind.personal }),
        ...(type === RequestType.card && { cardKind: CardKind.in }),
      }}
      save={request.apply}
      act={['提交', 'Submit']}
      done={['已提交', 'Submitted']}
      changes={CHANGES}
      about={
        <>
          <Segmented<TypeCode> value={type} onChange={setType} options={kinds} />
          <p>{say(HELP[type])}</p>
        </>
      }
      fields={[
        { name: 'cellId', label: ['我的班次', 'My shift'], control: <MyCells /> },
        ...FIELDS[type],
        'reason',
        { name: 'images', optional: true },
      ]}
      onClose={onClose}
    />
  )
}
