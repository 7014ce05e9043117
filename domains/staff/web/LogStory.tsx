import { Table } from 'antd'
import type { Of } from '../../../platform/contract/field.ts'
import { Facts } from '../../../platform/web/record/DetailDrawer.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Pictures, State, Time } from '../../../platform/web/value.tsx'
import { can } from '../../../platform/web/person.ts'
import { tracker } from '../contract/tracker.ts'
import { LogState, WorkLogDetail } from '../contract/workLog.ts'
import { TrackLine } from './TrackLine.tsx'

type Detail = Of<typeof WorkLogDetail>
export const LogHead = ({ of }: { of: Detail }) => (
  <>
    <b>{of.name}</b> {of.tollNo} {of.workDate} {of.shiftName} <State dictionary={LogState} value={of.state} />
  </>
)
/** One piece of work: the system's counts, the collector's words, the leader's rating, and the track. */
export function LogStory({ of }: { of: Detail }) {
  const say = useText()
  return (
    <div className="log-story">
      <h3>{say(['系统统计', 'System figures'])}</h3>
      <Facts
        entity={WorkLogDetail}
        of={of}
        show={['openedAt', 'outAt', 'workMin', 'entries', 'exits', 'orders', 'paidFen', 'photos', 'patrols', 'walkM', 'warnings']}
      />
      <h3>{say(['收费员填写', 'Written by the collector'])}</h3>
      <Facts entity={WorkLogDetail} of={of} show={['content', 'images', 'submittedAt', ...(of.dueAt ? (['dueAt'] as const) : [])]} />
      {of.incidents.length > 0 && (
        <Table
          size="small"
          rowKey={({ at, text }) => `${at} ${text}`}
          pagination={false}
          dataSource={of.incidents}
          columns={[
            { title: say(['时间', 'Time']), render: (_, { at }) => <Time at={at} /> },
            { title: say(['经过', 'What happened']), dataIndex: 'text' },
            { title: say(['照片', 'Pictures']), render: (_, { images }) => <Pictures addresses={images} /> },
          ]}
        />
      )}
      <h3>{say(['点评', 'Rating'])}</h3>
      <Facts entity={WorkLogDetail} of={of} show={['score', 'verdict', 'reviewerName', 'reviewedAt']} />
      {can(tracker.line.needs) && (
        <>
          <h3>{say(['轨迹', 'Track'])}</h3>
          <TrackLine key={of.id} tollNo={of.tollNo} workDate={of.workDate} />
        </>
      )}
    </div>
  )
}
