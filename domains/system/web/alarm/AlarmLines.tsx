import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { asks } from '../../../../platform/web/ask.ts'
import { useFrames } from '../../../../platform/web/live.ts'
import { Nothing } from '../../../../platform/web/page/states.tsx'
import { useText } from '../../../../platform/web/text.ts'
import { State, Time } from '../../../../platform/web/value.tsx'
import { alarmRecord, AlarmState } from '../../contract/alarmRecord.ts'
import { measured } from '../machine/figures.tsx'

const SHOWN = 8
/** The latest alarms in a few lines: of one rule, or all. */
export function AlarmLines({ ruleId }: { ruleId?: string }) {
  const say = useText()
  const lines = useQuery(
    asks(alarmRecord.pageQuery, { limit: SHOWN, queryMode: 'rows', ...(ruleId && { ruleId: ruleId as never }) }, { quiet: true }),
  )
  useFrames('system.alarm-record', () => void lines.refetch())
  if (lines.data?.records.length === 0) return <Nothing>{say(['还没有告警，一切正常。', 'No alarms yet.'])}</Nothing>
  return (
    <table className="lines">
      <thead>
        <tr>
          <th>{say(['告警时间', 'Raised at'])}</th>
          <th>{say(['规则', 'Rule'])}</th>
          <th>{say(['服务器', 'Server'])}</th>
          <th className="right">{say(['最严重值', 'Worst value'])}</th>
          <th>{say(['状态', 'Status'])}</th>
        </tr>
      </thead>
      <tbody>
        {lines.data?.records.map((one) => (
          <tr key={one.id}>
            <td>
              <Link to={`/appManage/server/alarmRecord/${one.id}`}>
                <Time at={one.raisedAt} />
              </Link>
            </td>
            <td>{one.ruleName}</td>
            <td>{one.serverName}</td>
            <td className="right">{measured(one.metric, one.mostValue)}</td>
            <td>
              <State dictionary={AlarmState} value={one.state} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
