import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { Section } from '../../../platform/web/record/DetailDrawer.tsx'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { can } from '../../../platform/web/person.ts'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Pictures, State, Time } from '../../../platform/web/value.tsx'
import { CommandState } from '../../device/contract/command.ts'
import type { Supervised } from '../contract/supervise.ts'
import { picture, PictureSource } from '../contract/picture.ts'
import { terminal, TerminalAct, TerminalFailure } from '../contract/terminal.ts'

type Row = Of<typeof Supervised>
const CHANGES = [terminal.query, picture.query, picture.count]
const SHOWN = 5
/** While something is under way, and while nothing is. */
const RENEW_MS = { open: 2_000, quiet: 15_000 }
const isOpen = (state: number) => state < CommandState.done

/** Commands to the terminal of a vehicle, with their outcome; the pictures of its camera. */
export function TerminalOrders({ of }: { of: Row }) {
  const say = useText()
  const act = useAct(CHANGES)
  const [doing, setDoing] = useState<'text' | 'track'>()
  const orders = useQuery({
    ...asks(terminal.query, { vehicleId: of.id, limit: SHOWN }, { quiet: true }),
    refetchInterval: ({ state }) => (state.data?.records.some((one) => isOpen(one.state)) ? RENEW_MS.open : RENEW_MS.quiet),
  })
  const lines = orders.data?.records ?? []
  const busy = lines.some((one) => one.act === TerminalAct.shoot && isOpen(one.state))
  const shoot = () =>
    void act(
      terminal.shoot,
      { vehicleId: of.id },
      { done: ['抓拍指令已提交，照片到后显示在下方', 'Picture ordered; it will show below when it comes'] },
    )
  return (
    <>
      <p className="fleet-acts">
        {can(terminal.text.needs) && (
          <Button disabled={!of.deviceNo} onClick={() => setDoing('text')}>
            {say(TerminalAct.entries[TerminalAct.text])}
          </Button>
        )}
        {can(terminal.shoot.needs) && (
          <Button disabled={!of.deviceNo || busy} onClick={shoot}>
            {say(TerminalAct.entries[TerminalAct.shoot])}
          </Button>
        )}
        {can(terminal.track.needs) && (
          <Button disabled={!of.deviceNo} onClick={() => setDoing('track')}>
            {say(TerminalAct.entries[TerminalAct.track])}
          </Button>
        )}
      </p>
      {!of.deviceNo && <p className="faint">{say(['未登记终端号，不能下发指令', 'No terminal number on record: nothing can be sent'])}</p>}
      {lines.length > 0 && (
        <Section title={['最近指令', 'Latest commands']}>
          <ul className="fleet-orders">
            {lines.map((one) => (
              <li key={one.id}>
                <Time at={one.createdAt} /> {say(TerminalAct.entries[one.act])} <State dictionary={CommandState} value={one.state} />
                <span className="faint">
                  {[one.text, one.failure && say(TerminalFailure.entries[one.failure]), one.byName].filter(Boolean).join(' · ')}
                </span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Shots vehicleId={of.id} renewed={lines.filter(({ act, state }) => act === TerminalAct.shoot && state === CommandState.done).length} />
      {doing === 'text' && <SendText of={of} onClose={() => setDoing(undefined)} />}
      {doing === 'track' && <Track of={of} onClose={() => setDoing(undefined)} />}
    </>
  )
}

function SendText({ of, onClose }: { of: Row; onClose: () => void }) {
  return (
    <FormDialog
      title={[`下发文本 · ${of.vehicleNo}`, `Send text · ${of.vehicleNo}`]}
      entity={terminal.text.input}
      mode="new"
      value={{ vehicleId: of.id, spoken: true, urgent: false }}
      save={terminal.text}
      act={['下发文本', 'Send text']}
      done={['已提交，终端应答后显示执行成功', 'Submitted; it shows as done once the terminal answers']}
      changes={CHANGES}
      fields={['text', { name: 'spoken', optional: true }, { name: 'urgent', optional: true }]}
      onClose={onClose}
    />
  )
}
const TRACK = { everyS: 5, forS: 600 }
function Track({ of, onClose }: { of: Row; onClose: () => void }) {
  return (
    <FormDialog
      title={[`临时追踪 · ${of.vehicleNo}`, `Track closely · ${of.vehicleNo}`]}
      entity={terminal.track.input}
      mode="new"
      value={{ vehicleId: of.id, ...TRACK }}
      save={terminal.track}
      act={['开始追踪', 'Start tracking']}
      done={['已提交；终端应答后按此间隔上报，到时恢复', 'Submitted; the terminal reports at this interval until the time is over']}
      changes={CHANGES}
      fields={['everyS', 'forS']}
      onClose={onClose}
    />
  )
}

/** `renewed` changes when a picture has come. */
function Shots({ vehicleId, renewed }: { vehicleId: Row['id']; renewed: number }) {
  const say = useText()
  const asked = asks(picture.query, { vehicleId, limit: SHOWN }, { quiet: true })
  const { data } = useQuery({ ...asked, queryKey: [...asked.queryKey, renewed], refetchInterval: RENEW_MS.quiet })
  if (!data || data.records.length === 0) return null
  return (
    <Section title={['最近照片', 'Latest pictures']}>
      <ul className="fleet-orders">
        {data.records.map((one) => (
          <li key={one.id}>
            <Pictures addresses={one.image} height={64} /> <Time at={one.at} /> <State dictionary={PictureSource} value={one.source} />
            <span className="faint">{one.channel === null ? one.place : say([`通道 ${one.channel}`, `channel ${one.channel}`])}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
