import { DeleteOutlined, SaveOutlined, StarFilled, StarOutlined, TeamOutlined } from '@ant-design/icons'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Checkbox, Input, Tooltip } from 'antd'
import { type ReactNode, useState } from 'react'
import type { Call } from '../../contract/call.ts'
import { ask, asks, type Refusal } from '../ask.ts'
import { toast } from '../page/hosts.tsx'
import { Failed, Waiting } from '../page/states.tsx'
import { type Text, useText } from '../text.ts'
import { applyView, type ViewsProps } from './Views.tsx'
import { defaultView, type View, viewCalls } from './views.ts'

const NAME_MOST = 40

/** The views of a list: one's own and those that others share; the present search is kept under a name. */
export default function ViewPanel({ list, address, named, onClose }: ViewsProps & { onClose: () => void }) {
  const say = useText()
  const calls = viewCalls()!
  const cache = useQueryClient()
  const all = useQuery<View[], Refusal>(asks(calls.query, { list }))
  const first = defaultView(list)
  const opensIn = first.use()
  const change = async <I,>(call: Call<I, unknown>, input: I, done: Text): Promise<boolean> => {
    const ok = await ask(call, input).then(
      () => true,
      () => false,
    )
    await cache.invalidateQueries({ queryKey: [calls.query.id] })
    if (ok) toast('success', done)
    return ok
  }
  if (all.isError) return <Failed error={all.error} retry={() => void all.refetch()} />
  if (!all.data) return <Waiting lines={3} />
  return (
    <div className="views">
      {all.data.length === 0 && (
        <p className="faint">
          {say(['还没有视图。可将当前条件保存为视图，下次直接打开。', 'No views yet. Save the current search as one to reuse it.'])}
        </p>
      )}
      <ol>
        {all.data.map((view) => (
          <li key={view.id}>
            <button type="button" className="name" onClick={() => [applyView(view, { address, named }), onClose()]}>
              {view.name}
              {view.shared && (
                <span className="faint">
                  <TeamOutlined /> {view.mine ? say(['已共享', 'shared']) : view.madeBy}
                </span>
              )}
            </button>
            <Small
              text={['设为默认视图', 'Use as default view']}
              pressed={opensIn === view.id}
              icon={opensIn === view.id ? <StarFilled /> : <StarOutlined />}
              onClick={() => (opensIn === view.id ? first.reset() : first.set(view.id))}
            />
            {view.mine && (
              <>
                <Small
                  text={['改为当前条件', 'Replace with the current search']}
                  icon={<SaveOutlined />}
                  onClick={() => void change(calls.update, { id: view.id, version: view.version, criteria: address.asked }, ['已更新', 'Replaced'])}
                />
                <Small
                  text={view.shared ? ['取消共享', 'Stop sharing'] : ['共享给全企业', 'Share with the enterprise']}
                  pressed={view.shared}
                  icon={<TeamOutlined />}
                  onClick={() => void change(calls.update, { id: view.id, version: view.version, shared: !view.shared }, ['已更新', 'Changed'])}
                />
                <Small
                  text={['删除视图', 'Delete the view']}
                  icon={<DeleteOutlined />}
                  onClick={() => void change(calls.delete, { id: view.id }, ['已删除', 'Deleted'])}
                />
              </>
            )}
          </li>
        ))}
      </ol>
      <Keep onKeep={(name, shared) => change(calls.add, { list, name, shared, criteria: address.asked }, ['视图已保存', 'View saved'])} />
    </div>
  )
}

function Keep({ onKeep }: { onKeep: (name: string, shared: boolean) => Promise<boolean> }) {
  const say = useText()
  const [name, setName] = useState('')
  const [shared, setShared] = useState(false)
  const keep = async () => {
    if (name.trim() && (await onKeep(name.trim(), shared))) setName('')
  }
  const label = say(['视图名称', 'View name'])
  return (
    <div className="keep">
      <Input
        size="small"
        maxLength={NAME_MOST}
        value={name}
        placeholder={label}
        aria-label={label}
        onChange={({ target }) => setName(target.value)}
        onPressEnter={() => void keep()}
      />
      <Checkbox checked={shared} onChange={({ target }) => setShared(target.checked)}>
        {say(['共享', 'Share'])}
      </Checkbox>
      <Button size="small" type="primary" disabled={!name.trim()} onClick={() => void keep()}>
        {say(['保存当前条件', 'Save this search'])}
      </Button>
    </div>
  )
}

function Small({ text, icon, pressed, onClick }: { text: Text; icon: ReactNode; pressed?: boolean; onClick: () => void }) {
  const say = useText()
  return (
    <Tooltip title={say(text)} mouseEnterDelay={0.6}>
      <Button
        size="small"
        type="text"
        aria-label={say(text)}
        {...(pressed !== undefined && { 'aria-pressed': pressed })}
        className={pressed ? 'on' : ''}
        icon={icon}
        onClick={onClick}
      />
    </Tooltip>
  )
}
