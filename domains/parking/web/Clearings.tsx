import { plural } from '../../../platform/contract/plural.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Modal, Table } from 'antd'
import { useState } from 'react'
import { asks } from '../../../platform/web/ask.ts'
import type { Of } from '../../../platform/contract/field.ts'
import { FormDialog } from '../../../platform/web/FormDialog.tsx'
import { toast } from '../../../platform/web/hosts.tsx'
import { Loaded } from '../../../platform/web/states.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { Time } from '../../../platform/web/value.tsx'
import { stay, type Uncleared } from '../contract/stay.ts'
import { STAY_CHANGES } from './changes.ts'
import { ParkName } from './api/names.tsx'

const UNDO_MS = 86_400_000
/** Past clearings; each can be undone as a whole within a day. */
export default function Clearings({ onClose }: { onClose: () => void }) {
  const say = useText()
  const [now] = useState(Date.now)
  const clearings = useQuery(asks(stay.queryClearedPage, { limit: 50 }, { quiet: true }))
  const [undo, setUndo] = useState<NonNullable<typeof clearings.data>['records'][number]>()
  const late: Text = ['超过 24 小时', 'Older than 24 hours']
  return (
    <Modal open width={760} title={say(['清场记录', 'Clearings'])} footer={null} onCancel={onClose}>
      <Loaded of={clearings} lines={3}>
        {({ records }) => (
          <Table
            size="small"
            rowKey="id"
            pagination={false}
            dataSource={records}
            locale={{ emptyText: say(['还没有清场记录', 'No clearings yet']) }}
            columns={[
              { title: say(['时间', 'Time']), render: (_, row) => <Time at={row.clearedAt} /> },
              { title: say(['车场', 'Car park']), render: (_, row) => <ParkName code={row.parkCode} still /> },
              { title: say(['数量', 'Cars']), dataIndex: 'count', align: 'right' },
              { title: say(['原因', 'Reason']), dataIndex: 'reason' },
              { title: say(['操作员', 'By']), dataIndex: 'clearedBy' },
              {
                title: '',
                align: 'right',
                render: (_, row) =>
                  row.revertedAt ? (
                    <span className="faint">{say(['已撤销', 'Undone'])}</span>
                  ) : now - Date.parse(row.clearedAt) > UNDO_MS ? (
                    <span className="faint">{say(late)}</span>
                  ) : (
                    <Button size="small" onClick={() => setUndo(row)}>
                      {say(['撤销', 'Undo'])}
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </Loaded>
      {undo && (
        <FormDialog
          title={['撤销清场', 'Undo the clearing']}
          entity={stay.unclear.input}
          mode="new"
          value={{ id: undo.id }}
          save={stay.unclear}
          act={[`恢复 ${undo.count} 辆在场`, `Restore ${undo.count} ${plural(undo.count, 'car')}`]}
          onSaved={(reply) => toast('success', undone(reply as Of<typeof Uncleared>))}
          changes={[...STAY_CHANGES, stay.queryClearedPage]}
          fields={['reason']}
          onClose={() => setUndo(undefined)}
        />
      )}
    </Modal>
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
