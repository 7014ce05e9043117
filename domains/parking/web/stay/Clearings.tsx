import { plural } from '../../../../platform/contract/plural.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Modal, Space, Table } from 'antd'
import { useState } from 'react'
import { asks } from '../../../../platform/web/ask.ts'
import type { Of } from '../../../../platform/contract/field.ts'
import { yuan } from '../../../../platform/web/format.ts'
import { FormDialog } from '../../../../platform/web/form/FormDialog.tsx'
import { toast } from '../../../../platform/web/page/hosts.tsx'
import { can, person } from '../../../../platform/web/person.ts'
import { useAct } from '../../../../platform/web/form/remove.tsx'
import { Loaded } from '../../../../platform/web/page/states.tsx'
import { type Text, useText } from '../../../../platform/web/text.ts'
import { Money, State, Time } from '../../../../platform/web/value.tsx'
import { clearedCar } from '../../contract/clearedCar.ts'
import { type Cleared, clearing, ClearingState } from '../../contract/clearing.ts'
import { stay, type Uncleared } from '../../contract/stay.ts'
import { STAY_CHANGES } from './changes.ts'
import { ClearedCars, ClearedCarsDialog } from '../ClearedCars.tsx'
import { ParkName } from '../api/names.tsx'

const UNDO_MS = 86_400_000
type Row = Of<typeof Cleared>
type Doing = { what: 'undo' | 'approve' | 'reject' | 'cars'; of: Row }
const CHANGES = [...STAY_CHANGES, clearing.query, clearedCar.query]
const SHOWN = 50
const DECIDED = [ClearingState.cleared, ClearingState.rejected, ClearingState.withdrawn]
/**
 * Lists waiting clearings first, then past ones, each undone as a whole within a day. Clearings above what one person may give up are decided here by another, with the cars of
 * each.
 */
export default function Clearings({ onClose }: { onClose: () => void }) {
  const say = useText()
  const open = useQuery(asks(clearing.query, { state: [ClearingState.waiting], limit: SHOWN }, { quiet: true }))
  const decided = useQuery(asks(clearing.query, { state: DECIDED, limit: SHOWN }, { quiet: true }))
  const [doing, setDoing] = useState<Doing>()
  return (
    <Modal open width={960} title={say(['清场记录', 'Clearings'])} footer={null} onCancel={onClose}>
      <Loaded of={open} lines={3}>
        {(waiting) => (
          <Loaded of={decided} lines={3}>
            {(over) => <Lines rows={[...waiting.records, ...over.records]} onDo={setDoing} />}
          </Loaded>
        )}
      </Loaded>
      {doing && <Dialog {...doing} onClose={() => setDoing(undefined)} />}
    </Modal>
  )
}

function Lines({ rows, onDo }: { rows: Row[]; onDo: (doing: Doing) => void }) {
  const say = useText()
  return (
    <Table
      size="small"
      rowKey="id"
      pagination={false}
      scroll={{ x: 'max-content' }}
      dataSource={rows}
      locale={{ emptyText: say(['还没有清场记录', 'No clearings yet']) }}
      columns={[
        { title: say(['时间', 'Time']), render: (_, row) => <Time at={row.clearedAt ?? row.appliedAt} /> },
        { title: say(['车场', 'Car park']), render: (_, row) => <ParkName code={row.parkCode} still /> },
        { title: say(['状态', 'Status']), render: (_, row) => <State dictionary={ClearingState} value={row.state} /> },
        { title: say(['数量', 'Cars']), align: 'right', render: (_, row) => <HowMany of={row} onOpen={() => onDo({ what: 'cars', of: row })} /> },
        { title: say(['放弃金额', 'Fees given up']), align: 'right', render: (_, row) => <Money fen={row.amountFen} /> },
        { title: say(['原因', 'Reason']), dataIndex: 'reason' },
        { title: say(['操作员', 'By']), dataIndex: 'clearedBy' },
        { title: say(['审核人', 'Decided by']), dataIndex: 'approverName' },
        { title: say(['审核意见', 'Review comment']), dataIndex: 'verdict' },
        { title: '', align: 'right', render: (_, row) => <Acts row={row} onDo={onDo} /> },
      ]}
    />
  )
}

/** Leads to the cars themselves. */
function HowMany({ of: { count }, onOpen }: { of: Row; onOpen: () => void }) {
  const say = useText()
  return (
    <Button type="link" size="small" aria-label={say([`查看 ${count} 辆车`, `Show ${count} ${plural(count, 'car')}`])} onClick={onOpen}>
      {count}
    </Button>
  )
}

/** The remaining acts on a clearing: undo it, or decide it. */
function Acts({ row, onDo }: { row: Row; onDo: (doing: Doing) => void }) {
  const say = useText()
  const [now] = useState(Date.now)
  const act = useAct(CHANGES)
  const mine = row.applicantId === (person.use()?.custId as string | undefined)
  const faint = (text: Text) => <span className="faint">{say(text)}</span>
  const button = (text: Text, needs: Parameters<typeof can>[0], run: () => void) =>
    can(needs) && (
      <Button size="small" onClick={run}>
        {say(text)}
      </Button>
    )
  if (row.revertedAt) return faint(['已撤销', 'Undone'])
  if (row.clearedAt)
    return now - Date.parse(row.clearedAt) > UNDO_MS
      ? faint(['超过 24 小时', 'Older than 24 hours'])
      : button(['撤销', 'Undo'], stay.unclear.needs, () => onDo({ what: 'undo', of: row }))
  if (row.state !== ClearingState.waiting) return null
  const withdraw = () => void act(clearing.withdraw, { id: row.id, version: row.version }, WITHDRAWING)
  if (mine) return button(['撤回', 'Withdraw'], clearing.withdraw.needs, withdraw)
  return (
    <Space>
      {button(['通过', 'Approve'], clearing.approve.needs, () => onDo({ what: 'approve', of: row }))}
      {button(['驳回', 'Reject'], clearing.reject.needs, () => onDo({ what: 'reject', of: row }))}
    </Space>
  )
}
const WITHDRAWING = {
  question: ['撤回清场申请？', 'Withdraw the request?'],
  act: ['撤回', 'Withdraw'],
  done: ['已撤回', 'Withdrawn'],
} satisfies Record<string, Text>

function Dialog({ what, of, onClose }: Doing & { onClose: () => void }) {
  if (what === 'cars') return <ClearedCarsDialog of={of} onClose={onClose} />
  const shared = { mode: 'new', changes: CHANGES, onClose } as const
  const which = { id: of.id, version: of.version }
  const about: Text = [`${of.count} 辆，放弃 ¥${yuan(of.amountFen)}`, `${of.count} ${plural(of.count, 'car')}, ¥${yuan(of.amountFen)} given up`]
  if (what === 'undo')
    return (
      <FormDialog
        {...shared}
        title={['撤销清场', 'Undo the clearing']}
        entity={stay.unclear.input}
        value={{ id: of.id }}
        save={stay.unclear}
        act={[`恢复 ${of.count} 辆在场`, `Restore ${of.count} ${plural(of.count, 'car')}`]}
        onSaved={(reply) => toast('success', undone(reply as Of<typeof Uncleared>))}
        fields={['reason']}
      />
    )
  if (what === 'reject')
    return (
      <FormDialog
        {...shared}
        title={[`驳回清场：${about[0]}`, `Reject a clearing: ${about[1]}`]}
        about={<ClearedCars of={of} />}
        entity={clearing.reject.input}
        value={which}
        save={clearing.reject}
        act={['驳回', 'Reject']}
        done={['已驳回', 'Rejected']}
        fields={['verdict']}
      />
    )
  return (
    <FormDialog
      {...shared}
      title={[`审核清场：${about[0]}`, `Approve a clearing: ${about[1]}`]}
      about={<ClearedCars of={of} />}
      entity={clearing.approve.input}
      value={which}
      save={clearing.approve}
      act={['通过并清场', 'Approve and clear']}
      done={['已清场', 'Cleared']}
      fields={[
        {
          name: 'verdict',
          optional: true,
          help: [
            '申请后已离场的车不再清；放弃金额按通过时计算',
            'Cars that have left since are not cleared; the fees given up are those at the moment of approval',
          ],
        },
      ]}
    />
  )
}

/** Of a clearing that was undone not all need come back: which did not is said. */
const undone = ({ restored, leftOut }: Of<typeof Uncleared>): Text =>
  leftOut.length === 0
    ? [`已恢复 ${restored} 辆`, `Cars restored: ${restored}`]
    : [
        `已恢复 ${restored} 辆；已再次入场或泊位已占用而未恢复：${leftOut.slice(0, NAMED).join('、')}${leftOut.length > NAMED ? ` 等 ${leftOut.length} 辆` : ''}`,
        `Cars restored: ${restored}; not restored because they came in again or their berth is taken: ${leftOut.slice(0, NAMED).join(', ')}${leftOut.length > NAMED ? ` and ${leftOut.length - NAMED} more` : ''}`,
      ]
/** A short notice names so many. */
const NAMED = 5
