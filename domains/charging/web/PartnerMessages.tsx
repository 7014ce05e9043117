import { useQuery } from '@tanstack/react-query'
import { Button, Drawer, Segmented } from 'antd'
import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { can } from '../../../platform/web/person.ts'
import { Failed, Nothing, Waiting } from '../../../platform/web/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { State, Time } from '../../../platform/web/value.tsx'
import { MessageState, type Platform, platform, type PlatformMessage, Way } from '../contract/platform.ts'
import { useDo } from './useDo.tsx'
import './charging.css'

const SHOWN = 200
/** What was said between a partner and us, the newest first; letters that were not taken can be sent again. */
export function Messages({ of, onClose }: { of: Of<typeof Platform>; onClose: () => void }) {
  const say = useText()
  const act = useDo([platform.messages, platform.getTableList])
  const [dead, setDead] = useState(of.deadLetters > 0)
  const query = useQuery(asks(platform.messages, { platformId: of.id, limit: SHOWN, ...(dead && { state: [MessageState.dead] }) }))
  const rows = query.data?.records ?? []
  const replay = () =>
    void act(platform.replay, { ids: rows.map(({ id }) => id) }, {
      title: ['重发死信', 'Send dead letters again'],
      content: [`按原顺序重发 ${rows.length} 条`, `${rows.length} letters, in their order`],
      done: ['已排队重发', 'They are queued'],
    }) // prettier-ignore
  return (
    <Drawer open size={860} title={`${of.name} · ${say(['消息', 'Messages'])}`} onClose={onClose}>
      <div className="charging-tools">
        <Segmented
          value={dead ? 'dead' : 'all'}
          onChange={(value) => setDead(value === 'dead')}
          options={[
            { value: 'all', label: say(['全部', 'All']) },
            { value: 'dead', label: `${say(['死信', 'Dead letters'])} ${of.deadLetters}` },
          ]}
        />
        {dead && can(platform.replay.needs) && (
          <Button type="primary" disabled={rows.length === 0} onClick={replay}>
            {say(['重发', 'Send again'])}
          </Button>
        )}
      </div>
      {query.isError ? (
        <Failed error={query.error as Refusal} retry={() => void query.refetch()} />
      ) : !query.data ? (
        <Waiting lines={8} />
      ) : rows.length === 0 ? (
        <Nothing>{say(dead ? ['没有死信', 'No dead letters'] : ['还没有消息', 'No messages yet'])}</Nothing>
      ) : (
        <Lines rows={rows} />
      )}
    </Drawer>
  )
} // prettier-ignore

function Lines({ rows }: { rows: readonly Of<typeof PlatformMessage>[] }) {
  const say = useText()
  return (
    <table className="lines">
      <thead>
        <tr>
          {(
            [
              ['时间', 'At'],
              ['方向', 'Way'],
              ['接口', 'Interface'],
              ['状态', 'State'],
              ['次数', 'Tries'],
              ['内容与应答', 'Said and answered'],
            ] as const
          ).map((head) => (
            <th key={head[1]}>{say(head)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((one) => (
          <tr key={one.id}>
            <td>
              <Time at={one.createdAt} />
            </td>
            <td>
              <State dictionary={Way} value={one.way} />
            </td>
            <td>
              <code>{one.interface}</code>
            </td>
            <td>
              <State dictionary={MessageState} value={one.state} />
            </td>
            <td className="number">{one.tries}</td>
            <td className="charging-said">
              <code>{one.said}</code>
              {one.answer && <p className="faint">{one.answer}</p>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
