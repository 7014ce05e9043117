import { plural } from '../../../platform/contract/plural.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Drawer } from 'antd'
import { useState } from 'react'
import { ask, asks, type Refusal } from '../../../platform/web/ask.ts'
import { Section } from '../../../platform/web/record/DetailDrawer.tsx'
import { toast } from '../../../platform/web/page/hosts.tsx'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { Failed, Waiting } from '../../../platform/web/page/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Time } from '../../../platform/web/value.tsx'
import { secondFactor } from '../contract/secondFactor.ts'
import { session } from '../contract/session.ts'
import Enrol, { CodeForm, KeepCodes } from './Enrol.tsx'
import './identity.css'

/** How one signs in oneself: the second factor, and the sessions that are open now. */
export default function MySecurity({ onClose }: { onClose: () => void }) {
  const say = useText()
  return (
    <Drawer open size={640} title={say(['登录安全', 'Sign-in and security'])} rootClassName="detail" onClose={onClose}>
      <MyFactor />
      <MySessions />
    </Drawer>
  )
}

type Doing = 'enrol' | 'renew' | 'remove' | { codes: readonly string[] }
function MyFactor() {
  const say = useText()
  const cache = useQueryClient()
  const state = useQuery(asks(secondFactor.state, {}, { quiet: true }))
  const [doing, setDoing] = useState<Doing>()
  const close = () => {
    setDoing(undefined)
    void cache.invalidateQueries({ queryKey: [secondFactor.state.id] })
  }
  const facts = state.data
  return (
    <Section title={['动态验证码', 'Second factor']}>
      {state.isError && <Failed error={state.error as Refusal} retry={() => void state.refetch()} />}
      {state.isPending && <Waiting lines={2} />}
      {facts && (
        <>
          <p>
            {facts.enrolled ? (
              <>
                <span className="state success">{say(['已启用', 'Enabled'])}</span>{' '}
                <span className="soft">
                  {say(['自', 'since'])} <Time at={facts.enrolledAt} /> ·{' '}
                  {say([`剩余 ${facts.recoveryLeft} 个恢复码`, `${facts.recoveryLeft} ${plural(facts.recoveryLeft, 'recovery code')} left`])}
                </span>
              </>
            ) : (
              <span className="state default">{say(['未启用：只凭密码登录', 'Not enabled: you sign in with the password only'])}</span>
            )}
          </p>
          <p className="buttons">
            {!facts.enrolled && (
              <Button type="primary" onClick={() => setDoing('enrol')}>
                {say(['启用', 'Enable'])}
              </Button>
            )}
            {facts.enrolled && <Button onClick={() => setDoing('renew')}>{say(['换新恢复码', 'Renew recovery codes'])}</Button>}
            {facts.enrolled && (
              <Button
                danger
                disabled={facts.required}
                title={facts.required ? say(['您的角色或企业要求动态验证码', 'Required by your role or enterprise']) : ''}
                onClick={() => setDoing('remove')}
              >
                {say(['停用', 'Disable'])}
              </Button>
            )}
          </p>
        </>
      )}
      {doing === 'enrol' && <Enrol onClose={close} />}
      {(doing === 'renew' || doing === 'remove') && <WithCode what={doing} onCodes={(codes) => setDoing({ codes })} onDone={close} />}
      {typeof doing === 'object' && (
        <>
          <KeepCodes codes={doing.codes} />
          <Button onClick={close}>{say(['我已保存恢复码', 'I have saved the codes'])}</Button>
        </>
      )}
    </Section>
  )
}

function WithCode({ what, onCodes, onDone }: { what: 'renew' | 'remove'; onCodes: (codes: readonly string[]) => void; onDone: () => void }) {
  const say = useText()
  const [refused, setRefused] = useState<string>()
  const [running, setRunning] = useState(false)
  const send = async (code: string) => {
    setRunning(true)
    try {
      if (what === 'renew') onCodes((await ask(secondFactor.renewRecovery, { code }, { quiet: true })).recoveryCodes)
      else {
        await ask(secondFactor.remove, { code }, { quiet: true })
        toast('success', ['已停用', 'Disabled'])
        onDone()
      }
    } catch (error) {
      setRefused((error as Refusal).message)
    } finally {
      setRunning(false)
    }
  }
  return (
    <>
      {refused && <Alert showIcon className="refused" type="error" title={refused} />}
      <CodeForm
        recovery
        running={running}
        danger={what === 'remove'}
        act={say(what === 'remove' ? ['确认停用', 'Disable'] : ['换新恢复码', 'Renew recovery codes'])}
        onCode={(code) => void send(code)}
      />
    </>
  )
}

function MySessions() {
  const say = useText()
  const sessions = useQuery(asks(session.listMine, {}, { quiet: true }))
  const act = useAct([session.listMine])
  const others = (sessions.data ?? []).filter(({ current }) => !current)
  const endAll = () =>
    act(
      session.endOthers,
      {},
      {
        question: [`结束其他 ${others.length} 个会话？`, `End the ${others.length} ${plural(others.length, 'other session')}?`],
        act: ['全部结束', 'End all'],
        done: ['其他会话已结束', 'Other sessions ended'],
      },
    )
  return (
    <Section
      title={['我的会话', 'My sessions']}
      aside={
        others.length > 1 && (
          <Button size="small" onClick={() => void endAll()}>
            {say(['结束其他全部', 'End all others'])}
          </Button>
        )
      }
    >
      {sessions.isError && <Failed error={sessions.error as Refusal} retry={() => void sessions.refetch()} />}
      {sessions.isPending && <Waiting lines={3} />}
      <ul className="sessions">
        {(sessions.data ?? []).map((one) => (
          <li key={one.id}>
            <div>
              <b>{[one.browser, one.userSystem].filter(Boolean).join(' · ') || say(['未知客户端', 'Unknown client'])}</b>{' '}
              <span className="soft">{one.ip}</span>
              <div className="faint">
                {say(['登录', 'Signed in'])} <Time at={one.startedAt} /> · {say(['最近活动', 'last active'])} <Time at={one.seenAt} />
              </div>
            </div>
            {one.current ? (
              <span className="state success">{say(['当前会话', 'This session'])}</span>
            ) : (
              <Button size="small" onClick={() => void act(session.end, { id: one.id }, { done: ['会话已结束', 'Session ended'] })}>
                {say(['结束', 'End'])}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}
