import type { ReactNode } from 'react'
import { Refusal } from '../../../../platform/web/ask.ts'
import { toast } from '../../../../platform/web/page/hosts.tsx'
import { Failed, NoPermission, Nothing, PastTheEnd, Waiting } from '../../../../platform/web/page/states.tsx'
import { type Text, useText } from '../../../../platform/web/text.ts'

export default function StatesBlock() {
  const done = () => toast('info', ['已重试', 'Retried'])
  const lost = new Refusal(503, '服务不可用 Service unavailable', '01900000-0000-7000-8000-000000000000')
  return (
    <div className="show-two">
      <One name={['加载', 'Loading']}>
        <Waiting lines={5} />
      </One>
      <One name={['没有记录', 'No records']}>
        <Nothing />
      </One>
      <One name={['没有符合条件', 'No matches']}>
        <Nothing clear={done} />
      </One>
      <One name={['页数变少', 'Past the last page']}>
        <PastTheEnd first={done} />
      </One>
      <One name={['出错', 'Failed']}>
        <Failed error={lost} retry={done} />
      </One>
      <One name={['没有权限', 'Not allowed']}>
        <NoPermission />
      </One>
    </div>
  )
}
function One({ name, children }: { name: Text; children: ReactNode }) {
  const say = useText()
  return (
    <div className="panel">
      <h2>{say(name)}</h2>
      {children}
    </div>
  )
}
