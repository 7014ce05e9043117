import { Button, Segmented } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { consoleLog, type LogLine } from '../../../platform/web/page/consoleLog.ts'
import { confirm } from '../../../platform/web/page/hosts.tsx'
import { PageHead } from '../../../platform/web/page/page.tsx'
import { Nothing, RequestId } from '../../../platform/web/page/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Time } from '../../../platform/web/value.tsx'
import { usePageNames } from './pageNames.ts'
import './system.css'

type Shown = 'all' | LogLine['level']

/** The console's own log in this browser, for a person who looks into a problem: it knows nothing of other browsers and is sent nowhere. */
export default function ConsoleLogScreen() {
  const say = useText()
  const all = consoleLog.use()
  const [shown, show] = useState<Shown>('all')
  const lines = all.filter(({ level }) => shown === 'all' || level === shown)
  const count = (level: Shown) => all.filter((one) => level === 'all' || one.level === level).length
  const clear = async () => {
    const sure = await confirm({
      title: say(['清空本浏览器的前端日志？', 'Clear this browser’s console log?']),
      okText: say(['清空', 'Clear']),
      cancelText: say(['取消', 'Cancel']),
    })
    if (sure) consoleLog.reset()
  }
  return (
    <div className="page console-log">
      <PageHead
        purpose={[
          '控制台在本浏览器中记下的错误与备注，供排查问题；只存在本机',
          'Errors and notes recorded by the console in this browser for troubleshooting; kept on this device only',
        ]}
      >
        <span className="push" />
        <Segmented<Shown>
          value={shown}
          onChange={show}
          options={[
            { value: 'all', label: `${say(['全部', 'All'])} ${count('all')}` },
            { value: 'error', label: `${say(['错误', 'Errors'])} ${count('error')}` },
            { value: 'note', label: `${say(['备注', 'Notes'])} ${count('note')}` },
          ]}
        />{' '}
        <Button disabled={all.length === 0} onClick={() => void clear()}>
          {say(['清空', 'Clear'])}
        </Button>
      </PageHead>
      <section className="panel">
        {lines.length === 0 ? <Nothing>{say(['控制台没有记录。', 'Nothing recorded by the console.'])}</Nothing> : <Lines of={lines} />}
      </section>
    </div>
  )
}

function Lines({ of }: { of: readonly LogLine[] }) {
  const say = useText()
  const pageName = usePageNames()
  return (
    <table className="lines">
      <thead>
        <tr>
          <th>{say(['时间', 'Time'])}</th>
          <th>{say(['级别', 'Level'])}</th>
          <th>{say(['页面', 'Page'])}</th>
          <th>{say(['内容', 'Content'])}</th>
          <th className="right">{say(['次数', 'Count'])}</th>
        </tr>
      </thead>
      <tbody>
        {of.map(({ at, level, page, text, call, requestId, times }) => (
          <tr key={`${at} ${text}`}>
            <td className="when">
              <Time at={at} />
            </td>
            <td className="when">
              <span className={`state ${level === 'error' ? 'error' : 'default'}`}>
                {say(level === 'error' ? ['错误', 'Error'] : ['备注', 'Note'])}
              </span>
            </td>
            <td>
              <Link to={page}>{say(pageName(page) ?? [page, page])}</Link>
            </td>
            <td>
              {text}
              {call && <div className="faint">{call}</div>}
              {requestId && <RequestId id={requestId} />}
            </td>
            <td className="right">{times}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
