import { PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { can } from '../../../platform/web/person.ts'
import { plural } from '../../../platform/contract/plural.ts'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { platSearch, record, SendState, ReadState } from '../contract/record.ts'
import { RECORD_CHANGES } from './changes.ts'
import { PeopleSelect } from './pickers.tsx'
import { mayTakeBack, recordStory } from './RecordStory.tsx'
import { MessageKind } from '../contract/template.ts'

/** Messages inside the console: their readers, and a way to send one. */
export default function RecordInAppScreen() {
  const say = useText()
  const act = useAct(RECORD_CHANGES)
  const [writing, setWriting] = useState(false)
  return (
    <>
      <ListScreen
        purpose={['发给本企业人员的站内消息及其阅读情况', 'In-app messages to people of your enterprise, and who has not read them']}
        query={record.queryPlatMessageRecord}
        search={platSearch}
        find={['readState', 'toName', 'createdAt', 'title', 'kind']}
        columns={[
          { dataIndex: 'title', render: (_, { title, titleEn }) => say([title, titleEn]) },
          {
            dataIndex: 'content',
            ellipsis: true,
            width: 360,
            render: (_, { content, contentEn }) => say([content, contentEn]) || <span className="faint">--</span>,
          },
          'toName',
          'kind',
          'readState',
          'createdAt',
          'readAt',
          'sendState',
        ]}
        hidden={['sendState']}
        roomy={['kind', 'readAt']}
        live="message.record"
        sum={{ figures: [{ text: ['未读', 'unread'], leads: { readState: ReadState.unread } }] }}
        toolbar={
          can(record.insert.needs) && (
            <Button type="primary" icon={<PlusOutlined />} onClick={() => setWriting(true)}>
              {say(['发消息', 'Send message'])}
            </Button>
          )
        }
        actions={(row) => [
          {
            text: ['撤回', 'Withdraw'],
            needs: record.update.needs,
            run: () =>
              void act(record.update, { id: row.id, version: row.version, sendState: SendState.withdrawn }, { done: ['已撤回', 'Withdrawn'] }),
            not: !mayTakeBack(row) && ['已读或已撤回', 'Already read or withdrawn'],
          },
        ]}
        detail={recordStory(say)}
      />
      {writing && <MessageForm onClose={() => setWriting(false)} />}
    </>
  )
}

const SEND_TO = (people: number): Text =>
  people === 0 ? ['发送', 'Send'] : [`发送给 ${people} 人`, `Send to ${people} ${plural(people, 'person', 'people')}`]
const SURE = (people: number): Text => [`发送给 ${people} 人？`, `Send it to ${people} ${plural(people, 'person', 'people')}?`]

function MessageForm({ onClose }: { onClose: () => void }) {
  return (
    <FormDialog
      title={['发站内消息', 'Send in-app message']}
      entity={record.insert.input}
      mode="new"
      value={{ kind: MessageKind.notice }}
      save={record.insert}
      act={({ custIds }) => SEND_TO(custIds?.length ?? 0)}
      sure={({ custIds }) => SURE(custIds?.length ?? 0)}
      done={['已发送', 'Sent']}
      changes={RECORD_CHANGES}
      fields={[
        { name: 'custIds', control: <PeopleSelect />, help: ['成批发送请建消息任务', 'For many people, create a message task'] },
        { name: 'title' },
        { name: 'content' },
        { name: 'kind', optional: true },
        {
          name: 'link',
          optional: true,
          help: ['控制台内的地址，如 /operation/deviceMonitor', 'A path in the console, such as /operation/deviceMonitor'],
        },
      ]}
      onClose={onClose}
    />
  )
}
