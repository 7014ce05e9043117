import { useQuery } from '@tanstack/react-query'
import { Button, Drawer, Segmented } from 'antd'
import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { can } from '../../../platform/web/person.ts'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { Failed, Nothing, Waiting } from '../../../platform/web/page/states.tsx'
import { type Say, type Text, useText } from '../../../platform/web/text.ts'
import { State, Time } from '../../../platform/web/value.tsx'
import { MessageState, type Platform, platform, type PlatformMessage, Way } from '../contract/platform.ts'
import './charging.css'

type Letter = Of<typeof PlatformMessage>
const SHOWN = 200
/** Letters leave and are answered while somebody looks on. */
const AGAIN_MS = 5_000
/** What the interfaces of T/CEC 102 are for. */
const NAMES: Record<string, Text> = {
  notification_stationStatus: ['推送充电枪状态', 'Push connector status'],
  notification_start_charge_result: ['推送启动结果', 'Push start result'],
  notification_equip_charge_status: ['推送充电状态', 'Push charging progress'],
  notification_stop_charge_result: ['推送停止结果', 'Push stop result'],
  notification_charge_order_info: ['推送充电订单', 'Push charging session'],
  check_charge_orders: ['订单对账', 'Check charging sessions'],
  query_start_charge: ['请求启动充电', 'Request start'],
  query_stop_charge: ['请求停止充电', 'Request stop'],
}

export function InterfaceName({ of }: { of: string }) {
  const say = useText()
  return (
    <>
      {NAMES[of] && <div>{say(NAMES[of])}</div>}
      <code className="faint">{of}</code>
    </>
  )
}

/** What the line itself said instead of the partner, in a person's words. */
const INSTEAD: readonly (readonly [RegExp, Text])[] = [
  [/^no answer within (\d+) s$/, ['对方 $1 秒内未应答', 'No answer within $1 s']],
  [/^HTTP (\d+)$/, ['对方返回 HTTP $1', 'The partner answered HTTP $1']],
  [/^connect E\w+ .*$/, ['连接不上对方地址', 'The partner’s address cannot be reached']],
  [
    /^.* lies within a network that messages do not go to$/,
    ['对方地址属于内网，不允许访问', 'The partner’s address is on an internal network and is not allowed'],
  ],
  [/^the answer is not readable$/, ['应答无法解析', 'The answer cannot be read']],
  [/^the answer is not signed as agreed$/, ['应答签名不正确', 'The answer’s signature is wrong']],
  [/^对方地址或密钥未设置$/, ['对方地址或密钥未设置', 'The partner’s address or secrets are not set']],
]
function answerOf(answer: string | null, say: Say): string {
  const [pattern, text] = INSTEAD.find(([one]) => one.test(answer ?? '')) ?? []
  return pattern ? answer!.replace(pattern, say(text!)) : (answer ?? say(['尚无应答', 'No answer yet']))
}

/** What was said between a partner and us, the newest first; letters that were not taken can be sent again. */
export function Messages({ of, onClose }: { of: Of<typeof Platform>; onClose: () => void }) {
  const say = useText()
  const act = useAct([platform.messages, platform.deadLetters, platform.getTableList])
  const [dead, setDead] = useState(of.deadLetters > 0)
  const again = { refetchInterval: AGAIN_MS }
  const waiting = useQuery({ ...asks(platform.deadLetters, { platformId: of.id, limit: SHOWN }), ...again })
  const all = useQuery({ ...asks(platform.messages, { platformId: of.id, limit: SHOWN }), ...again, enabled: !dead })
  const query = dead ? waiting : all
  const rows = query.data?.records ?? []
  const mayReplay = can(platform.replay.needs)
  const replay = (letters: readonly Letter[]) =>
    void act(
      platform.replay,
      { ids: letters.map(({ id }) => id) },
      {
        question: [
          `按原顺序重发 ${letters.length} 条；充电枪的状态和充电进度按当前情况发送`,
          `Messages to resend, in their order: ${letters.length}. Connector states and charging progress are sent as they are now`,
        ],
        act: ['重发', 'Resend'],
        done: ['已排队重发', 'Queued for resending'],
      },
    )
  return (
    <Drawer open size={860} title={`${of.name} · ${say(['消息', 'Messages'])}`} onClose={onClose}>
      <div className="charging-tools">
        <Segmented
          value={dead ? 'dead' : 'all'}
          onChange={(value) => setDead(value === 'dead')}
          options={[
            { value: 'all', label: say(['全部', 'All']) },
            { value: 'dead', label: `${say(['未送达', 'Undelivered'])} ${waiting.data?.total ?? of.deadLetters}` },
          ]}
        />
        {dead && mayReplay && rows.length > 1 && <Button onClick={() => replay(rows)}>{say(['全部重发', 'Resend all'])}</Button>}
      </div>
      {query.isError ? (
        <Failed error={query.error as Refusal} retry={() => void query.refetch()} />
      ) : !query.data ? (
        <Waiting lines={8} />
      ) : rows.length === 0 ? (
        <Nothing>{say(dead ? ['没有未送达的消息', 'No undelivered messages'] : ['还没有消息', 'No messages yet'])}</Nothing>
      ) : (
        <Letters rows={rows} {...(mayReplay && { replay: (one: Letter) => replay([one]) })} />
      )}
    </Drawer>
  )
}

const HEADS: readonly Text[] = [
  ['时间', 'Time'],
  ['方向', 'Direction'],
  ['接口', 'Interface'],
  ['订单 / 充电枪', 'Session / connector'],
  ['状态', 'Status'],
  ['次数', 'Tries'],
]
function Letters({ rows, replay }: { rows: readonly Letter[]; replay?: (one: Letter) => void }) {
  const say = useText()
  const [opened, setOpened] = useState<string>()
  return (
    <div className="charging-letters">
      <table className="lines">
        <thead>
          <tr>
            {HEADS.map((head) => (
              <th key={head[1]}>{say(head)}</th>
            ))}
            <th aria-label={say(['操作', 'Actions'])} />
          </tr>
        </thead>
        {rows.map((one) => (
          <tbody key={one.id}>
            <Line of={one} isOpen={one.id === opened} toggle={() => setOpened(one.id === opened ? undefined : one.id)} />
            {one.id === opened && (
              <tr>
                <td colSpan={HEADS.length + 1}>
                  <Opened of={one} {...(replay && { replay })} />
                </td>
              </tr>
            )}
          </tbody>
        ))}
      </table>
    </div>
  )
}
function Line({ of, isOpen, toggle }: { of: Letter; isOpen: boolean; toggle: () => void }) {
  const say = useText()
  return (
    <tr>
      <td>
        <Time at={of.createdAt} />
      </td>
      <td>
        <State dictionary={Way} value={of.way} />
      </td>
      <td>
        <InterfaceName of={of.interface} />
      </td>
      <td className="charging-of">{of.orderNo ?? of.connectorId ?? '--'}</td>
      <td>
        <State dictionary={MessageState} value={of.state} />
      </td>
      <td className="right">{of.tries}</td>
      <td>
        <Button type="link" size="small" aria-expanded={isOpen} onClick={toggle}>
          {say(isOpen ? ['收起', 'Close'] : ['查看', 'Open'])}
        </Button>
      </td>
    </tr>
  )
}

/** What was sent, what was answered, and each time that it was tried. */
function Opened({ of, replay }: { of: Letter; replay?: (one: Letter) => void }) {
  const say = useText()
  const isOutgoing = of.way === Way.outgoing
  return (
    <div className="charging-letter">
      <section>
        <h4>{say(isOutgoing ? ['发送内容', 'Message sent'] : ['对方内容', 'Message received'])}</h4>
        <pre>{readable(of.said)}</pre>
      </section>
      <section>
        <h4>{say(isOutgoing ? ['对方应答', 'Partner’s answer'] : ['我方应答', 'Our answer'])}</h4>
        <pre>{answerOf(of.answer, say)}</pre>
        {isOutgoing && (
          <>
            <h4>{say(['发送记录', 'Send log'])}</h4>
            <Sendings of={of} />
          </>
        )}
        {replay && of.state === MessageState.dead && (
          <Button type="primary" onClick={() => replay(of)}>
            {say(['重发', 'Resend'])}
          </Button>
        )}
      </section>
    </div>
  )
}
function Sendings({ of: { sendings, nextAt } }: { of: Letter }) {
  const say = useText()
  return (
    <>
      {sendings.length === 0 && <p className="faint">{say(['尚未发送', 'Not sent yet'])}</p>}
      <ol>
        {sendings.map(({ at, ret, answer }) => (
          <li key={at}>
            <Time at={at} /> {ret === null ? '' : `Ret ${ret} · `}
            {answerOf(answer, say)}
          </li>
        ))}
      </ol>
      {nextAt && (
        <p className="faint">
          {say(['下次发送', 'Next try'])} <Time at={nextAt} />
        </p>
      )}
    </>
  )
}
/** Fields a line each, where it is what a program wrote. */
function readable(said: string | null): string {
  try {
    return JSON.stringify(JSON.parse(said ?? ''), null, 2)
  } catch {
    return said ?? '--'
  }
}
