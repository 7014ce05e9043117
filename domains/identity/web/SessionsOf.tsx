import { useQuery } from '@tanstack/react-query'
import { Button, Modal, Table } from 'antd'
import type { Id } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { can } from '../../../platform/web/person.ts'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { Loaded, Nothing } from '../../../platform/web/page/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Time } from '../../../platform/web/value.tsx'
import { session } from '../contract/session.ts'

/** The open sessions of one person, each of which can be ended. */
export function SessionsOf({ of: { id, name }, onClose }: { of: { id: Id<'PersonId'>; name: string }; onClose: () => void }) {
  const say = useText()
  const sessions = useQuery(asks(session.listOf, { custId: id }, { quiet: true }))
  const act = useAct([session.listOf])
  return (
    <Modal open title={say([`${name} 的会话`, `Sessions of ${name}`])} width="60%" footer={null} onCancel={onClose}>
      <Loaded of={sessions} lines={3}>
        {(rows) => (
          <Table
            size="small"
            rowKey="id"
            pagination={false}
            dataSource={rows}
            locale={{ emptyText: <Nothing>{say(['此人当前没有登录。', 'This person is not signed in.'])}</Nothing> }}
            columns={[
              { dataIndex: 'startedAt', title: say(['登录时间', 'Signed in at']), render: (at: string) => <Time at={at} /> },
              { dataIndex: 'seenAt', title: say(['最近活动', 'Last active']), render: (at: string) => <Time at={at} /> },
              { dataIndex: 'ip', title: say(['登录地址', 'IP address']) },
              { dataIndex: 'browser', title: say(['浏览器', 'Browser']), render: (text: string | null) => text ?? '--' },
              {
                key: 'end',
                title: say(['操作', 'Actions']),
                render: (_, row) =>
                  row.current ? (
                    <span className="faint">{say(['当前会话', 'This session'])}</span>
                  ) : (
                    <Button
                      type="link"
                      size="small"
                      disabled={!can(session.endOf.needs)}
                      onClick={() => void act(session.endOf, { id: row.id }, { done: ['会话已结束', 'Session ended'] })}
                    >
                      {say(['结束', 'End'])}
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </Loaded>
    </Modal>
  )
}
