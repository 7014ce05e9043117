import { Table } from 'antd'
import type { Of } from '../../../platform/contract/field.ts'
import { Facts, Section } from '../../../platform/web/DetailDrawer.tsx'
import { ListScreen } from '../../../platform/web/ListScreen.tsx'
import { NONE } from '../../../platform/web/format.ts'
import { type Text, useText } from '../../../platform/web/text.ts'
import { log, Operation, operationSearch } from '../contract/log.ts'

type Row = Of<typeof Operation>
const EVENTS: Record<string, Text> = { insert: ['新增', 'Added'], update: ['修改', 'Changed'], delete: ['删除', 'Deleted'] }
/** What changes with every change says nothing. */
const NOISE = new Set(['updated_at', 'created_at', 'version', 'enterprise_id'])

/** Every change of every record: who, through what, before and after. Nobody can change it. */
export default function OperateLogScreen() {
  const say = useText()
  return (
    <ListScreen
      purpose={['每一次数据变更：谁、通过什么操作、变更前后', 'Every change of a record: by whom, through which call, before and after']}
      query={log.operationPage}
      search={operationSearch}
      find={['authorName', 'via', 'at', 'entity', 'rowId']}
      columns={[
        'at',
        'authorName',
        'via',
        { dataIndex: 'event', render: (_, { event }) => say(EVENTS[event] ?? [event, event]) },
        'entity',
        { dataIndex: 'after', title: say(['变更', 'Change']), render: (_, row) => <Change of={row} /> },
        'reason',
        'rowId',
        'requestId',
      ]}
      hidden={['rowId', 'requestId']}
      detail={{
        call: log.operation,
        head: (row) => (
          <>
            <b>{say(EVENTS[row.event] ?? [row.event, row.event])}</b> {row.entity}
          </>
        ),
        body: (row) => <Whole of={row} />,
      }}
    />
  )
}

/** Every field of the record, as it was and as it became. */
function Whole({ of }: { of: Row }) {
  const say = useText()
  const [was, is] = [of.before, of.after].map((one) => (one ?? {}) as Record<string, unknown>) as [Record<string, unknown>, Record<string, unknown>]
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])]
  return (
    <>
      <Facts entity={Operation} of={of} show={['at', 'authorName', 'via', 'entity', 'rowId', 'reason', 'requestId']} />
      <Section title={['变更', 'Change']}>
        <Table
          size="small"
          rowKey={(name) => name}
          pagination={false}
          dataSource={names}
          columns={[
            { key: 'name', title: say(['字段', 'Field']), render: (_, name) => name },
            { key: 'before', title: say(['变更前', 'Before']), render: (_, name) => told(was[name], Infinity) },
            { key: 'after', title: say(['变更后', 'After']), render: (_, name) => told(is[name], Infinity) },
          ]}
        />
      </Section>
    </>
  )
}

function Change({ of: { before, after, event } }: { of: Row }) {
  const say = useText()
  const [was, is] = [before, after].map((one) => (one ?? {}) as Record<string, unknown>) as [Record<string, unknown>, Record<string, unknown>]
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((name) => !NOISE.has(name))
  if (event !== 'update') return <span className="faint">{say([`${names.length} 个字段`, `${names.length} fields`])}</span>
  return (
    <ul className="changes">
      {names.slice(0, SHOWN).map((name) => (
        <li key={name}>
          <span className="faint">{name}</span> {told(was[name])} → <b>{told(is[name])}</b>
        </li>
      ))}
      {names.length > SHOWN && <li className="faint">{say([`另有 ${names.length - SHOWN} 项`, `${names.length - SHOWN} more`])}</li>}
    </ul>
  )
}
const SHOWN = 4
const TEXT_MAX = 60
function told(value: unknown, most = TEXT_MAX): string {
  if (value === null || value === undefined || value === '') return NONE
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text.length > most ? `${text.slice(0, most)}…` : text
}
