import { Button } from 'antd'
import { Link } from 'react-router'
import { ListScreen } from '../../../platform/web/ListScreen.tsx'
import { useAct } from '../../../platform/web/remove.tsx'
import { useText } from '../../../platform/web/text.ts'
import { mineSearch, record } from '../contract/record.ts'

const CHANGES = [record.queryMessageRecord]
/** More at once would be more calls than a person waits for. */
const AT_ONCE = 100

/** One's own messages; the bell leads here. Following a message's link marks it read. */
export default function MessageRecordScreen() {
  const say = useText()
  const act = useAct(CHANGES)
  const read = (id: string) => act(record.tag, { id: id as never })
  return (
    <ListScreen
      purpose={['发给您的站内消息', 'Messages to you inside the console']}
      query={record.queryMessageRecord}
      search={mineSearch}
      find={['readState', 'title', 'createdAt']}
      columns={[
        {
          dataIndex: 'title',
          render: (_, { id, title, titleEn, link, readState }) => {
            const text = readState === 0 ? <b>{say([title, titleEn])}</b> : say([title, titleEn])
            return link ? (
              <Link to={link} onClick={() => readState === 0 && void read(id)}>
                {text}
              </Link>
            ) : (
              text
            )
          },
        },
        { dataIndex: 'content', render: (_, { content, contentEn }) => say([content, contentEn]) || <span className="faint">--</span> },
        'readState',
        'createdAt',
        'readAt',
      ]}
      hidden={['readAt']}
      live="message.inner"
      ticks
      sum={{ figures: [{ text: ['未读', 'unread'], leads: { readState: 0 } }] }}
      toolbar={({ ticked, untick }) => {
        const unread = ticked.filter(({ readState }) => readState === 0).slice(0, AT_ONCE)
        const all = async () => {
          for (const { id } of unread) if (!(await read(id))) break
          untick()
        }
        return (
          <Button disabled={unread.length === 0} onClick={() => void all()}>
            {say(['标为已读', 'Mark as read'])}
          </Button>
        )
      }}
      actions={({ id, readState }) => [
        { text: ['标为已读', 'Mark as read'], run: () => void read(id), not: readState === 1 && ['已经读过', 'It is read already'] },
      ]}
    />
  )
}
