import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { bin } from '../../../../platform/contract/records.ts'
import { asks, type Refusal } from '../../../../platform/web/ask.ts'
import { can } from '../../../../platform/web/person.ts'
import { Failed, NoPermission, Nothing, Waiting } from '../../../../platform/web/page/states.tsx'
import { useText } from '../../../../platform/web/text.ts'
import { Time } from '../../../../platform/web/value.tsx'

const SHOWN = 5
/** Which kinds of rows wait to be brought back, and the last that do. */
export default function BinBlock() {
  return can(bin.query.needs) ? <Waits /> : <NoPermission />
}

function Waits() {
  const say = useText()
  const kinds = useQuery(asks(bin.kinds, {}, { quiet: true }))
  const rows = useQuery(asks(bin.query, { limit: SHOWN, queryMode: 'rows' }, { quiet: true }))
  const error = kinds.error ?? rows.error
  if (error) return <Failed error={error as Refusal} retry={() => void Promise.all([kinds.refetch(), rows.refetch()])} />
  if (!kinds.data || !rows.data) return <Waiting lines={4} />
  const nameOf = (kind: string) => {
    const found = kinds.data.find((one) => one.kind === kind)
    return found ? say([found.zh, found.en]) : kind
  }
  return (
    <div className="show panel">
      <p className="soft">
        {say(['可以恢复的种类：', 'Kinds that can be restored: '])}
        {kinds.data.map(({ zh, en }) => say([zh, en])).join(say(['、', ', ']))}
      </p>
      {rows.data.records.length === 0 && (
        <Nothing>{say(['删除后 30 天内可在此找回。', 'Deleted records can be restored here for 30 days.'])}</Nothing>
      )}
      <table className="lines">
        <tbody>
          {rows.data.records.map(({ id, kind, title, at, authorName }) => (
            <tr key={id}>
              <td>{nameOf(kind)}</td>
              <td>{title}</td>
              <td>{authorName}</td>
              <td>
                <Time at={at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Link to="/appManage/system/recycleBin">{say(['打开回收站', 'Open recycle bin'])}</Link>
    </div>
  )
}
