import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { ask, asks } from '../../../platform/web/ask.ts'
import { type Column, ListScreen, type RowAction } from '../../../platform/web/list/ListScreen.tsx'
import { can, person } from '../../../platform/web/person.ts'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { type Say, useText } from '../../../platform/web/text.ts'
import { State, Time } from '../../../platform/web/value.tsx'
import { CommandState } from '../../device/contract/command.ts'
import { timer } from '../contract/timer.ts'
import { LightState, lampCommand, Relay, wiring, WiringMode, wiringSearch } from '../contract/wiring.ts'
import { LAMP_TOPIC, WIRING_CHANGES } from './changes.ts'
import { BoxSelect } from './choices.tsx'
import { type Circuit, ReadState, WantedState } from './Lights.tsx'
import { Turns } from './LampScreen.tsx'
import { RunNow } from './RunNow.tsx'
import { SwitchDialog, tellOf } from './Switch.tsx'
import type { Turn } from './switchTitle.ts'
import { ModeForm } from './WiringForm.tsx'

type Asked = { what: 'run' } | { what: Turn; of: readonly Circuit[] } | { what: 'mode'; of: Circuit; to: Circuit['mode'] }
const RENEW_MS = 10_000

/** Boxes and their circuits under one hand: wanted state against read-back. */
export default function WiringSwitchingScreen() {
  const say = useText()
  const act = useAct(WIRING_CHANGES)
  const [asked, setAsked] = useState<Asked>()
  const put: Put = (row, mode) =>
    void act(
      wiring.update,
      { id: row.id, version: row.version, mode },
      {
        question: [
          `${row.wiringCode} 改为${WiringMode.entries[mode][0]}?`,
          `Switch ${row.wiringCode} to ${WiringMode.entries[mode][1].toLowerCase()}?`,
        ],
        act: [WiringMode.entries[mode][0], WiringMode.entries[mode][1]],
        done: ['已修改', 'Changed'],
      },
    )
  return (
    <>
      <ListScreen
        purpose={[
          '按箱按回路远程开关、调光、挂牌；应为与回读对照，未成功的可重发',
          'Switch, dim and tag out by box and circuit; compare expected with read back, and resend what failed',
        ]}
        above={can(lampCommand.query.needs) && <Latest />}
        query={wiring.query}
        search={wiringSearch}
        find={[{ name: 'boxCode', control: <BoxSelect />, label: ['配电箱', 'Box'] }, 'mode', 'online', 'wiringCode', 'regionCode', 'relay']}
        columns={columnsOf(say)}
        hidden={['nextEventAt']}
        roomy={['boxCode', 'circuitNo', 'mode', 'name']}
        live={LAMP_TOPIC}
        ticks
        toolbar={({ ticked }) => (
          <>
            <Turns ticked={ticked} onTurn={(what) => setAsked({ what, of: ticked })} />
            {can(timer.execute.needs) && can(timer.query.needs) && (
              <Button onClick={() => setAsked({ what: 'run' })}>{say(['立即执行定时', 'Run program now'])}</Button>
            )}
          </>
        )}
        actions={(row) => actionsOf(row, setAsked, put)}
      />
      {asked && <Doing asked={asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}
function Doing({ asked, onClose }: { asked: Asked; onClose: () => void }) {
  if (asked.what === 'run') return <RunNow onClose={onClose} />
  if (asked.what === 'mode') return <ModeForm of={asked.of} to={asked.to} onClose={onClose} />
  return <SwitchDialog turn={asked.what} of={asked.of} onClose={onClose} />
}

type Put = (row: Circuit, mode: Circuit['mode']) => void
/** The actions on a circuit: the person who has hung a tag takes it off; another does so only as the chief, and says why. */
function actionsOf(row: Circuit, askFor: (asked: Asked) => void, put: Put): RowAction[] {
  const isTagged = row.mode === WiringMode.tagged
  const isMine = row.taggedBy === person.get()?.custId
  const not = isTagged && ([`由${row.taggedName}挂牌维护`, `Tagged out by ${row.taggedName}`] as const)
  const another = row.mode === WiringMode.manual ? WiringMode.automatic : WiringMode.manual
  const { needs: edits } = wiring.update
  return [
    { text: ['开', 'Switch on'], needs: wiring.batchUpdate.needs, run: () => askFor({ what: 'on', of: [row] }), not },
    { text: ['关', 'Switch off'], needs: wiring.batchUpdate.needs, run: () => askFor({ what: 'off', of: [row] }), not },
    { text: ['调光', 'Dim'], needs: wiring.batchUpdate.needs, run: () => askFor({ what: 'dim', of: [row] }), not },
    ...(isTagged
      ? [
          isMine
            ? { text: ['摘牌', 'Remove tag'] as const, needs: edits, run: () => put(row, WiringMode.automatic) }
            : {
                text: ['代为摘牌', 'Remove another’s tag'] as const,
                needs: wiring.untag.needs,
                run: () => askFor({ what: 'mode', of: row, to: WiringMode.automatic }),
              },
        ]
      : [
          { text: ['挂牌', 'Tag out'] as const, needs: edits, run: () => askFor({ what: 'mode', of: row, to: WiringMode.tagged }) },
          {
            text: another === WiringMode.manual ? (['转手动', 'Set to manual'] as const) : (['转自动', 'Set to automatic'] as const),
            needs: edits,
            run: () => put(row, another),
          },
        ]),
  ]
}
const columnsOf = (say: Say): Column<Circuit>[] => [
  'boxCode',
  'circuitNo',
  'wiringCode',
  { dataIndex: 'state', render: (_, row) => <State dictionary={LightState} value={row.state} /> },
  'name',
  { dataIndex: 'relayWanted', title: say(['应有状态', 'Expected']), render: (_, row) => <WantedState of={row} /> },
  { dataIndex: 'relay', title: say(['回读', 'Read back']), render: (_, row) => <ReadState of={row} /> },
  'cmdState',
  'mode',
  { dataIndex: 'nextEventAt', render: (_, row) => <Time at={row.nextEventAt} /> },
]

const SHOWN = 5
const FAILED: readonly number[] = [CommandState.failed, CommandState.expired]
/** The latest commands; those of a batch that failed are sent once more together. */
function Latest() {
  const say = useText()
  const { data, refetch } = useQuery({ ...asks(lampCommand.query, { limit: 50 }, { quiet: true }), refetchInterval: RENEW_MS })
  const batches = [...Map.groupBy(data?.records ?? [], ({ batchId }) => batchId)].slice(0, SHOWN)
  if (batches.length === 0) return null
  const again = async (those: NonNullable<typeof data>['records']) => {
    const { relay, dim, untilAt } = those[0]!
    const until = untilAt !== null && Date.parse(untilAt) > Date.now() ? { untilAt } : {}
    tellOf(
      await ask(wiring.batchUpdate, {
        wiringIds: those.map(({ wiringId }) => wiringId),
        relay,
        ...(relay === Relay.on && { dim }),
        ...until,
        reason: say(['重发', 'Resent']),
      }),
    )
    await refetch()
  }
  return (
    <div className="page">
      <table className="lines">
        <thead>
          <tr>
            <th>{say(['时间', 'Time'])}</th>
            <th>{say(['操作人', 'Operator'])}</th>
            <th>{say(['指令', 'Command'])}</th>
            <th>{say(['结果', 'Result'])}</th>
            <th>{say(['操作', 'Actions'])}</th>
          </tr>
        </thead>
        <tbody>
          {batches.map(([batchId, those]) => {
            const failed = those.filter(({ cmdState }) => FAILED.includes(cmdState))
            const counts = [...Map.groupBy(those, ({ cmdState }) => cmdState)]
            return (
              <tr key={batchId}>
                <td>
                  <Time at={those[0]!.createdAt} />
                </td>
                <td>{those[0]!.actorName}</td>
                <td>
                  {say(those[0]!.relay === Relay.on ? [`开 ${those[0]!.dim}%`, `on ${those[0]!.dim}%`] : ['关', 'off'])} × {those.length}
                </td>
                <td>
                  {counts.map(([state, some]) => (
                    <span key={state}>
                      <State dictionary={CommandState} value={state} /> {some.length}{' '}
                    </span>
                  ))}
                </td>
                <td>
                  {failed.length > 0 && can(wiring.batchUpdate.needs) && (
                    <Button size="small" onClick={() => void again(failed)}>
                      {say([`重发失败的 ${failed.length} 个`, `Resend ${failed.length} failed`])}
                    </Button>
                  )}
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
