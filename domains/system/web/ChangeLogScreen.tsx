import { Facts, Section } from '../../../platform/web/DetailDrawer.tsx'
import { ListScreen } from '../../../platform/web/ListScreen.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Change, changeSearch, log } from '../contract/log.ts'
import { actionOf } from './actions.ts'
import { ChainState } from './ChainState.tsx'
import { EVENTS, ShortChange, WholeChange } from './Changes.tsx'

/** Every change of every record, by people, devices and jobs alike: who, through what, before and after. Nobody can change it. */
export default function ChangeLogScreen() {
  const say = useText()
  const event = (name: string) => say(EVENTS[name] ?? [name, name])
  return (
    <ListScreen
      purpose={['每一条数据的每一次变更，无论出自人、设备还是系统任务', 'Every change of every record, by people, devices and jobs alike']}
      query={log.changePage}
      search={changeSearch}
      find={['authorName', 'entity', 'at', 'rowId', 'via', 'event']}
      columns={[
        'at',
        'authorName',
        { dataIndex: 'via', render: (_, { via }) => <span title={via}>{say(actionOf(via))}</span> },
        { dataIndex: 'event', render: (_, row) => event(row.event) },
        'entity',
        { dataIndex: 'after', title: say(['变更', 'Change']), render: (_, row) => <ShortChange of={row} /> },
        'reason',
        'rowId',
        'requestId',
      ]}
      hidden={['rowId', 'requestId']}
      toolbar={<ChainState of={4} />}
      detail={{
        call: log.change,
        head: (row) => (
          <>
            <b>{event(row.event)}</b> {row.entity}
          </>
        ),
        body: (row) => (
          <>
            <Facts entity={Change} of={row} show={['at', 'authorName', 'via', 'entity', 'rowId', 'reason', 'requestId']} />
            <Section title={['变更', 'Change']}>
              <WholeChange of={row} />
            </Section>
          </>
        ),
      }}
    />
  )
}
