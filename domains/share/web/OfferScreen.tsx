import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen, type RowAction } from '../../../platform/web/list/ListScreen.tsx'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { CHOOSE, findPark, ParkSelect } from '../../parking/web/api/names.tsx'
import { offerCan, offerSearch, OfferState, type ShareOffer, sharing } from '../contract/sharing.ts'
import { OwnerSelect } from '../../owner/web/api/OwnerSelect.tsx'
import { useParkColumn, WindowsInput, WindowsText } from './choices.tsx'

type Row = Of<typeof ShareOffer>
const MOVES: { to: 1 | 2 | 3 | 4; way: keyof typeof offerCan; text: Text; question?: Text }[] = [
  { to: OfferState.offered, way: 'approve', text: ['通过', 'Approve'] },
  { to: OfferState.rejected, way: 'reject', text: ['驳回', 'Reject'] },
  {
    to: OfferState.paused,
    way: 'pause',
    text: ['暂停', 'Pause'],
    question: ['已有预约继续有效，不再接受新预约', 'Existing bookings stay valid; no new ones are taken'],
  },
  { to: OfferState.offered, way: 'resume', text: ['恢复', 'Resume'] },
  {
    to: OfferState.withdrawn,
    way: 'withdraw',
    text: ['下架', 'Withdraw'],
    question: ['下架后不能恢复，需重新登记', 'A withdrawn bay cannot be restored; it must be registered again'],
  },
]

/** The states that the owner is told of, with a reason. */
type Asked = typeof OfferState.rejected | typeof OfferState.paused
const WORDS = {
  [OfferState.rejected]: {
    title: ['驳回共享申请', 'Reject the shared bay'],
    act: ['驳回', 'Reject'],
    done: ['已驳回', 'Rejected'],
    fields: ['reason'],
  },
  [OfferState.paused]: {
    title: ['暂停业主车位', 'Pause the owner’s bay'],
    act: ['暂停', 'Pause'],
    done: ['已暂停', 'Paused'],
    fields: [
      { name: 'reason', help: ['业主可见，且不能自行恢复；已有预约继续有效', 'The owner sees it and cannot resume; existing bookings stay valid'] },
    ],
  },
} as const satisfies Record<Asked, object>

/** Bays that are shared: whose they are, when they are open, and the owner's part. */
export default function OfferScreen() {
  const say = useText()
  const park = useParkColumn()
  const act = useAct([sharing.members, sharing.parks])
  const [adding, setAdding] = useState(false)
  const [asking, setAsking] = useState<{ of: Row; to: Asked }>()
  const actions = (row: Row): RowAction[] =>
    MOVES.filter(({ way }) => offerCan[way](row.status) !== undefined).map(({ to, text, question }) => ({
      text,
      needs: sharing.updateMember.needs,
      run: () =>
        to === OfferState.rejected || (to === OfferState.paused && row.ownerId !== null)
          ? setAsking({ of: row, to })
          : void act(sharing.updateMemberPost, { id: row.id, state: to }, { ...(question && { question }), act: text, done: ['已变更', 'Changed'] }),
    }))
  return (
    <>
      <ListScreen
        purpose={[
          '业主与运营方登记的共享车位：开放时段、分成与状态',
          'Shared bays registered by owners and the operator: windows, owner’s share and state',
        ]}
        query={sharing.members}
        search={offerSearch}
        exports={sharing.memberExport}
        add={{ call: sharing.insertOffer, open: () => setAdding(true) }}
        find={['ownerName', findPark, 'status', 'seatNo', 'phone']}
        columns={[
          'seatNo',
          park,
          'ownerName',
          'phone',
          { dataIndex: 'windows', title: say(['开放时段', 'Windows']), render: (_, row) => <WindowsText of={row.windows} /> },
          'splitPermille',
          'status',
          'reason',
          'proof',
          'createdAt',
        ]}
        hidden={['reason', 'proof', 'createdAt']}
        roomy={['phone', 'splitPermille']}
        actions={actions}
        empty={['还没有共享车位', 'No shared bays yet']}
      />
      {adding && <Adding onClose={() => setAdding(false)} />}
      {asking && (
        <FormDialog
          {...WORDS[asking.to]}
          entity={sharing.updateMemberPost.input}
          mode="new"
          value={{ id: asking.of.id, state: asking.to }}
          save={sharing.updateMemberPost}
          changes={[sharing.members]}
          onClose={() => setAsking(undefined)}
        />
      )}
    </>
  )
}
const Adding = ({ onClose }: { onClose: () => void }) => (
  <FormDialog
    title={['登记共享车位', 'Register a shared bay']}
    entity={sharing.insertOffer.input}
    mode="new"
    value={{ windows: [1, 2, 3, 4, 5].map((day) => ({ day, from: '08:00', to: '18:00' })) }}
    save={sharing.insertOffer}
    done={['已登记', 'Registered']}
    changes={[sharing.members, sharing.parks]}
    fields={[
      { name: 'parkCode', label: ['车场', 'Car park'], control: <ParkSelect empty={CHOOSE} /> },
      'seatNo',
      { name: 'windows', control: <WindowsInput />, help: ['结束不晚于开始的，到次日', 'An end no later than the start is on the next day'] },
      {
        name: 'ownerId',
        label: ['业主', 'Owner'],
        control: <OwnerSelect />,
        optional: true,
        help: ['留空为运营方自有车位，不分成', 'Leave empty for the operator’s own bay, no owner’s share'],
      },
      { name: 'ownerName', optional: true, help: ['不填则用车主的姓名和手机', 'Leave empty for the owner’s name and phone'] },
      { name: 'phone', optional: true },
      { name: 'splitPermille', optional: true },
      { name: 'proof', optional: true },
    ]}
    onClose={onClose}
  />
)
