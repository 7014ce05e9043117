import type { Of } from '../../../../platform/contract/field.ts'
import { useDeeds } from '../../../../platform/web/record/deeds.ts'
import { Facts, Section } from '../../../../platform/web/record/DetailDrawer.tsx'
import { ListScreen } from '../../../../platform/web/list/ListScreen.tsx'
import { Label } from '../../../../platform/web/form/remove.tsx'
import { Select } from '../../../../platform/web/form/Select.tsx'
import { useText } from '../../../../platform/web/text.ts'
import { Change, changeSearch, log } from '../../contract/log.ts'
import { ChainState } from './ChainState.tsx'
import { EVENTS, ShortChange, WholeChange } from './Changes.tsx'
import { useNouns } from '../nouns.ts'
import '../system.css'

/** Every change of every record, by people, devices and jobs alike: who, through what, before and after. Nobody can change it. */
export default function ChangeLogScreen() {
  const say = useText()
  const deedOf = useDeeds()
  const { nameOf } = useNouns()
  const event = (name: string) => say(EVENTS[name] ?? [name, name])
  const via = (name: string) => <span title={name}>{say(deedOf(name))}</span>
  const noun = (table: string) => <span title={table}>{say(nameOf(table))}</span>
  return (
    <ListScreen
      purpose={['每一条数据的每一次变更，无论出自人、设备还是系统任务', 'Every change to every record, whether by people, devices or system jobs']}
      query={log.changePage}
      search={changeSearch}
      find={['authorName', { name: 'entity', control: <NounSelect /> }, 'at', 'rowId', 'via', { name: 'event', control: <EventSelect /> }]}
      columns={[
        'at',
        'authorName',
        { dataIndex: 'via', render: (_, row) => via(row.via) },
        { dataIndex: 'event', render: (_, row) => event(row.event) },
        { dataIndex: 'entity', render: (_, row) => noun(row.entity) },
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
            <b>{event(row.event)}</b> {noun(row.entity)}
          </>
        ),
        body: (row) => <Whole of={row} />,
      }}
    />
  )
}

function Whole({ of }: { of: Of<typeof Change> }) {
  const say = useText()
  const deedOf = useDeeds()
  const { nameOf } = useNouns()
  return (
    <>
      <Facts
        entity={Change}
        of={of}
        show={[
          'at',
          'authorName',
          {
            label: ['操作', 'Operation'],
            value: (
              <>
                {say(deedOf(of.via))} <code className="faint">{of.via}</code>
              </>
            ),
          },
          {
            label: ['对象', 'Record type'],
            value: (
              <>
                {say(nameOf(of.entity))} <code className="faint">{of.entity}</code>
              </>
            ),
          },
          'rowId',
          'reason',
          'requestId',
        ]}
      />
      <Section title={['变更', 'Change']}>
        <WholeChange of={of} />
      </Section>
    </>
  )
}

interface Picked {
  id?: string
  value?: string
  onChange?: (value: string | undefined) => void
}
function NounSelect(props: Picked) {
  const say = useText()
  const { nouns } = useNouns()
  const options = nouns.map(({ table, zh, en }) => ({ value: table, label: say([zh, en]) }))
  return (
    <Select
      allowClear
      className="pick"
      placeholder={say(Label.any)}
      showSearch={{ optionFilterProp: 'label' }}
      options={options}
      {...(props as object)}
    />
  )
}
function EventSelect(props: Picked) {
  const say = useText()
  return (
    <Select
      allowClear
      className="pick"
      placeholder={say(Label.any)}
      options={Object.entries(EVENTS).map(([value, text]) => ({ value, label: say(text) }))}
      {...(props as object)}
    />
  )
}
