import type { Of } from '../../../../platform/contract/field.ts'
import { targetWords } from '../../../../platform/contract/targets.ts'
import { useDeeds } from '../../../../platform/web/record/deeds.ts'
import { Facts, Section } from '../../../../platform/web/record/DetailDrawer.tsx'
import { NONE } from '../../../../platform/web/format.ts'
import { ListScreen } from '../../../../platform/web/list/ListScreen.tsx'
import { type Say, type Text, useText } from '../../../../platform/web/text.ts'
import { State } from '../../../../platform/web/value.tsx'
import { log, Operation, OperationOutcome, operationSearch, type OperationWhole } from '../../contract/log.ts'
import { usePageNames } from '../pageNames.ts'
import { ChainState } from './ChainState.tsx'
import { EVENTS, WholeChange } from './Changes.tsx'
import { useNouns } from '../nouns.ts'
import '../system.css'

type Row = Of<typeof Operation>
/** Longer than a person likes to wait. */
const SLOW_MS = 1_000

/** Operations of people in the console, failed ones too: on which page, on what, the outcome, the changes. */
export default function OperationLogScreen() {
  const say = useText()
  const pageName = usePageNames()
  const deedOf = useDeeds()
  return (
    <ListScreen
      purpose={[
        '谁在哪个页面做了什么、结果如何、改了什么；被拒绝和出错的也在内',
        'Who did what on which page, the result and what it changed, including refused and failed operations',
      ]}
      query={log.operationPage}
      search={operationSearch}
      find={['authorName', 'outcome', 'at', 'call', 'page', 'ip', 'requestId']}
      columns={[
        'at',
        { dataIndex: 'authorName', ellipsis: true, width: 120 },
        { dataIndex: 'page', ellipsis: true, width: 140, render: (_, row) => <PageName path={row.page} name={pageName(row.page)} /> },
        { dataIndex: 'call', ellipsis: true, width: 140, render: (_, row) => <Titled text={say(deedOf(row.call))} also={row.call} /> },
        { dataIndex: 'target', ellipsis: true, width: 200, render: (_, { target }) => <Titled text={wordsOf(target, say)} /> },
        { dataIndex: 'outcome', ellipsis: true, width: 160, render: (_, row) => <Outcome of={row} /> },
        { dataIndex: 'tookMs', render: (_, { tookMs }) => (tookMs > SLOW_MS ? <b>{tookMs}</b> : tookMs) },
        'ip',
        'status',
        'requestId',
      ]}
      hidden={['status', 'requestId']}
      roomy={['tookMs', 'ip']}
      toolbar={<ChainState of={1} />}
      exports={log.operationExport}
      detail={{
        call: log.operation,
        head: (row) => (
          <>
            <b>{say(deedOf(row.call))}</b> <State dictionary={OperationOutcome} value={row.outcome} />
          </>
        ),
        body: (row) => <Whole of={row} name={pageName(row.page)} />,
      }}
    />
  )
}

const wordsOf = (target: string | null, say: Say) => target && targetWords(target, say)

/** Where its column cuts it, the whole is told to who points at it, with the name that programs have for it. */
const Titled = ({ text, also }: { text: string | null; also?: string }) =>
  text ? <span title={[text, also].filter(Boolean).join(' · ')}>{text}</span> : <span className="faint">--</span>

function PageName({ path, name }: { path: string | null; name: Text | undefined }) {
  const say = useText()
  if (!path) return <span className="faint">{say(['接口直接调用', 'Called by API'])}</span>
  return name ? <Titled text={say(name)} also={path} /> : <span title={path}>{path}</span>
}
function Outcome({ of }: { of: Row }) {
  const say = useText()
  const said = of.said && say([of.said, of.saidEn ?? of.said])
  return (
    <>
      <State dictionary={OperationOutcome} value={of.outcome} />
      {said && (
        <span className="faint said" title={said}>
          {said}
        </span>
      )}
    </>
  )
}

function Whole({ of, name }: { of: Of<typeof OperationWhole>; name: Text | undefined }) {
  const say = useText()
  const deedOf = useDeeds()
  const { nameOf } = useNouns()
  return (
    <>
      <Facts
        entity={Operation}
        of={of}
        show={[
          'at',
          'authorName',
          'ip',
          { label: ['页面', 'Page'], value: <PageName path={of.page} name={name} /> },
          {
            label: ['操作', 'Action'],
            value: (
              <>
                {say(deedOf(of.call))} <code className="faint">{of.call}</code>
              </>
            ),
          },
          { label: ['对象', 'Target'], value: wordsOf(of.target, say) ?? NONE },
          { label: ['结果', 'Result'], value: <Outcome of={of} /> },
          'status',
          'tookMs',
          'requestId',
        ]}
      />
      <Section title={['数据变更', 'Data changes']}>
        {of.changes.length === 0 && <p className="faint">{say(['没有改动任何数据', 'No data changed'])}</p>}
        {of.changes.map((change) => (
          <div key={change.id} className="one-change">
            <h3>
              {say(EVENTS[change.event] ?? [change.event, change.event])} <span title={change.entity}>{say(nameOf(change.entity))}</span>
            </h3>
            <WholeChange of={change} />
          </div>
        ))}
      </Section>
    </>
  )
}
