import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button, Input } from 'antd'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import type { Call } from '../../../../platform/contract/call.ts'
import type { Dictionary } from '../../../../platform/contract/field.ts'
import { ask, newKey, type Refusal } from '../../../../platform/web/ask.ts'
import { TimeField } from '../../../../platform/web/form/dates.tsx'
import { yuan } from '../../../../platform/web/format.ts'
import { toast } from '../../../../platform/web/page/hosts.tsx'
import { PlateInput } from '../../../../platform/web/plate/PlateInput.tsx'
import { RequestId } from '../../../../platform/web/page/states.tsx'
import { type Text, useText } from '../../../../platform/web/text.ts'
import { CashChange } from '../../../settlement/web/api/CashChange.tsx'
import { CashPoints } from '../../../settlement/web/api/CashPoints.tsx'
import { OpensShift } from '../../../settlement/web/api/OpensShift.tsx'
import { Direction, FeeChoice, OpenReason } from '../../contract/gate.ts'
import type { LaneRow } from '../../contract/laneBoard.ts'
import { GATE_CHANGES, STAY_CHANGES } from '../stay/changes.ts'
import { InsideAlready } from './InsideAlready.tsx'
import { actLines, asksFee, asksWhy, changedSince, type Doing, isReady, needsNote, readOf, type Said, toSend } from './laneActs.ts'
import { ParkName } from '../api/names.tsx'

interface Props {
  lane: LaneRow
  doing: Doing
  onClose: () => void
}
/**
 * A person's act at a lane, in its card: the act and its place, the reasons by number key, Enter, done. If another car comes to the lane, or the car has paid meanwhile,
 * the button goes away.
 */
export function LaneAct({ lane, doing, onClose }: Props) {
  const say = useText()
  const was = useRef(lane).current
  const [said, tell] = useState<Said>({})
  const box = useRef<HTMLFormElement>(null)
  const { act, sending } = useSending(was, doing, onClose)
  const gone = changedSince(was, lane, doing)
  const { title, button, effect } = actLines(was, doing, said)
  const ready = gone === undefined && isReady(was, doing, said)
  const send = () => void (ready && act(said))
  usePanelKeys(box, {
    leave: onClose,
    send,
    number: (number) => tell((now) => ({ ...now, ...numberSaid(was, doing, now, number) })),
  })

  return (
    <form
      ref={box}
      className="lane-act"
      tabIndex={-1}
      aria-label={say(title)}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <h3>
        <ParkName code={was.parkCode} still /> · {was.name} · {say(title)}
      </h3>
      {gone ? (
        <p className="gone" role="alert">
          {say(gone)}
        </p>
      ) : (
        <Questions was={was} doing={doing} said={said} tell={tell} />
      )}
      {effect && !gone && <p className="faint">{say(effect)}</p>}
      {sending.error && (
        <p className="gone" role="alert">
          {sending.error.message} <RequestId id={sending.error.requestId} />
        </p>
      )}
      <footer>
        {!gone && (
          <Button type="primary" htmlType="submit" disabled={!ready} loading={sending.isPending} danger={doing === 'refuse'}>
            {say(button)}
          </Button>
        )}
        <Button onClick={onClose}>
          {say(gone ? ['知道了', 'OK'] : ['取消', 'Cancel'])} <kbd>Esc</kbd>
        </Button>
      </footer>
    </form>
  )
}

interface PanelKeys {
  leave: () => void
  send: () => void
  number: (number: number) => void
}
/** Esc, Enter and the numbers are the panel's own while the focus is in it; it takes the focus when it opens. */
function usePanelKeys(box: RefObject<HTMLFormElement | null>, keys: PanelKeys) {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const panel = box.current!
    const hear = (event: KeyboardEvent) => {
      const field = event.target as Element
      // In a calendar Enter takes the time that was typed, and Esc closes it.
      const isCalendar = field.closest('.ant-picker') !== null
      if (isCalendar && event.key === 'Enter') {
        event.preventDefault()
        return
      }
      if (isCalendar && event.key === 'Escape' && document.querySelector(OPEN_CALENDAR)) return
      if (event.key === 'Escape') latest.current.leave()
      else if (event.key === 'Enter' && !field.closest('input, footer')) latest.current.send()
      else if (/^[1-9]$/.test(event.key) && !field.matches('input')) latest.current.number(Number(event.key))
      else return
      event.preventDefault()
      event.stopPropagation()
    }
    // A field of its own has the focus already.
    if (!panel.contains(document.activeElement)) panel.focus()
    // The focus brings its field into sight; what ends the act stands below it.
    panel.closest('.lane')?.scrollIntoView({ block: 'nearest' })
    panel.addEventListener('keydown', hear)
    return () => panel.removeEventListener('keydown', hear)
  }, [])
}

const OPEN_CALENDAR = '.ant-picker-dropdown:not(.ant-picker-dropdown-hidden)'

/** One send with one key: pressed twice it is done once. */
function useSending(was: LaneRow, doing: Doing, onClose: () => void) {
  const cache = useQueryClient()
  const key = useRef(newKey())
  const sending = useMutation<unknown, Refusal, Said>({
    mutationFn: (said) => {
      const [call, input] = toSend(was, doing, said)
      return ask(call as Call<unknown, unknown>, input, { key: key.current, quiet: true })
    },
    onSuccess: async () => {
      toast('success', DONE[doing])
      await Promise.all([...STAY_CHANGES, ...GATE_CHANGES].map((call) => cache.invalidateQueries({ queryKey: [call.id] })))
      onClose()
    },
    onError: ({ isAnswer }) => {
      if (isAnswer) key.current = newKey()
    },
  })
  return { sending, act: (said: Said) => sending.isPending || sending.mutate(said) }
}
const DONE: Record<Doing, Text> = {
  open: ['开闸指令已下发', 'Open command sent'],
  free: ['已免费放行', 'Let out free of charge'],
  cash: ['现金已入账', 'Cash recorded'],
  pass: ['已放行', 'Let through'],
  refuse: ['已拒绝', 'Turned away'],
  entry: ['已按此时间计费', 'Billed from that time'],
  read: ['已按改后的车牌重新判定', 'Rechecked with the new plate'],
  rule: ['已按现行规则计费', 'Billed by the rule in force'],
  lock: ['已锁闸', 'Locked'],
  unlock: ['已解锁', 'Unlocked'],
}
/** A number answers the first question that is still open; then it changes the last one. */
function numberSaid(lane: LaneRow, doing: Doing, said: Said, number: number): Partial<Said> {
  if (!asksWhy(lane, doing)) return {}
  if (said.reason !== undefined && asksFee(lane, doing)) return number in FeeChoice.entries ? { fee: number as NonNullable<Said['fee']> } : {}
  return number in OpenReason.entries ? { reason: number as NonNullable<Said['reason']> } : {}
}

interface Asking {
  was: LaneRow
  doing: Doing
  said: Said
  tell: (change: (now: Said) => Said) => void
}
function Questions({ was, doing, said, tell }: Asking) {
  const say = useText()
  const answer = (change: Said) => tell((now) => ({ ...now, ...change }))
  return (
    <>
      {asksWhy(was, doing) && (
        <Numbered
          of={OpenReason}
          chosen={said.reason}
          keys={said.reason === undefined || !asksFee(was, doing)}
          choose={(reason) => answer({ reason })}
        />
      )}
      {asksFee(was, doing) && (
        <Numbered of={FeeChoice} chosen={said.fee} keys={said.reason !== undefined} choose={(fee) => answer({ fee })}>
          {say(doing === 'open' ? [`待缴 ¥${yuan(was.dueFen)}`, `¥${yuan(was.dueFen)} due`] : ['待缴 --', 'Due --'])}
        </Numbered>
      )}
      {doing === 'entry' && (
        <TimeField
          autoFocus
          future={false}
          value={said.entryTime ?? null}
          placeholder={say(['入场时间', 'Entry time'])}
          aria-label={say(['入场时间', 'Entry time'])}
          onChange={(at) => answer({ entryTime: at ?? undefined })}
        />
      )}
      {doing === 'read' && (
        <PlateInput autoFocus value={said.plateNo ?? readOf(was)} aria-label={say(['车牌', 'Plate'])} onChange={(plateNo) => answer({ plateNo })} />
      )}
      {doing === 'cash' && was.orderId !== null && (
        <CashPoints orderId={was.orderId} points={said.points ?? 0} onPoints={(points) => answer({ points })} />
      )}
      {doing === 'read' && was.heading !== Direction.exit && <InsideAlready parkCode={was.parkCode} typed={said.plateNo ?? ''} />}
      {takesCash(doing, said) && (was.dueFen > 0 ? <CashChange dueFen={was.dueFen - (said.points ?? 0)} /> : <OpensShift />)}
      {doing !== 'cash' && (
        <Input
          maxLength={REMARK_MAX}
          value={said.remark ?? ''}
          aria-label={say(['说明', 'Note'])}
          required={needsNote(was, doing, said)}
          status={needsNote(was, doing, said) && !said.remark?.trim() ? 'warning' : ''}
          placeholder={say(
            needsNote(was, doing, said) ? ['选「其他」须填说明', 'Say why: required with “Other”'] : ['说明（选填）', 'Note (optional)'],
          )}
          onChange={({ target }) => answer({ remark: target.value })}
        />
      )}
    </>
  )
}
const REMARK_MAX = 200
const takesCash = (doing: Doing, { fee }: Said) => doing === 'cash' || fee === FeeChoice.cash

interface NumberedProps<C extends number> {
  of: Dictionary<C>
  chosen: C | undefined
  /** The number keys answer this one now. */
  keys: boolean
  choose: (code: C) => void
  children?: ReactNode
}
/** A few answers, each with its number. */
function Numbered<C extends number>({ of, chosen, keys, choose, children }: NumberedProps<C>) {
  const say = useText()
  return (
    <div className="numbered" role="radiogroup" aria-label={say(of.label)}>
      {children && <b>{children}</b>}
      {(Object.keys(of.entries).map(Number) as C[]).map((code) => (
        <button key={code} type="button" role="radio" aria-checked={code === chosen} onClick={() => choose(code)}>
          {keys && <kbd>{code}</kbd>} {say(of.entries[code])}
        </button>
      ))}
    </div>
  )
}
