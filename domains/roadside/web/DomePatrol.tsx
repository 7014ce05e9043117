import { useQueryClient } from '@tanstack/react-query'
import type { Of } from '../../../platform/contract/field.ts'
import { msOf } from '../../../platform/contract/time.ts'
import { ask, newKey } from '../../../platform/web/ask.ts'
import { nearTime, time } from '../../../platform/web/format.ts'
import { toast } from '../../../platform/web/page/hosts.tsx'
import type { RowAction } from '../../../platform/web/list/RowActions.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { State } from '../../../platform/web/value.tsx'
import { CommandState } from '../../device/contract/command.ts'
import { DeviceUse } from '../../device/contract/device.ts'
import { endWords, toldWords } from '../../device/web/api/words.ts'
import { type Dome, dome } from '../contract/dome.ts'

type Row = Of<typeof Dome>
const UNDER_WAY: readonly number[] = [CommandState.queued, CommandState.sent, CommandState.delivered]
export const isUnderWay = ({ told }: Pick<Row, 'told'>) => told !== null && UNDER_WAY.includes(told.state)
/** The dome reports its new state a moment after it has answered. */
export const isTurning = (row: Pick<Row, 'told'>) => isUnderWay(row) || (row.told !== null && Date.now() - msOf(row.told.at) < SETTLES_MS)
const SETTLES_MS = 15_000

/** Shows the dome's own status, and the outcome of its last command: a command that did not reach it has changed nothing. */
export function Capturing({ of: { useStatus, online, capturing, told } }: { of: Row }) {
  const say = useText()
  if (useStatus !== DeviceUse.inUse) return <State dictionary={DeviceUse} value={useStatus} />
  const [order, command] = told === null ? ['', ''] : toldWords({ method: told.method, params: {} })
  const [end, ended] = told === null ? ['', ''] : endWords(told)
  return (
    <>
      {capturing === null ? (
        <span className="faint">{say(['未上报', 'Not reported'])}</span>
      ) : (
        <span className={!online ? 'faint' : capturing ? 'state success' : 'state'}>
          {!online && say(['离线前：', 'Before it went offline: '])}
          {say(capturing ? ['抓拍中', 'Capturing'] : ['已停止', 'Stopped'])}
        </span>
      )}
      {told !== null && (
        <div className="faint">
          {say([`${order}：${end}`, `${command}: ${ended}`])} <time title={time(told.at)}>{nearTime(told.at, 'second')}</time>
        </div>
      )}
    </>
  )
}
/** The button says what it would change; where the dome has not said what it does, both are there. */
export function usePatrol(): (of: Row) => RowAction[] {
  const cache = useQueryClient()
  const tell = (deviceNo: string, on: boolean) =>
    void ask(dome.patrol, { deviceNo, on }, { key: newKey() })
      .then(
        () => toast('success', ['指令已下发，结果见「抓拍」列', 'Command sent; see “Capturing” for the result']),
        () => {}, // the refusal was shown
      )
      .finally(() => cache.invalidateQueries({ queryKey: [dome.list.id] }))
  return (of) => {
    const act = (on: boolean, text: Text): RowAction => ({ text, needs: dome.patrol.needs, run: () => tell(of.deviceNo, on), not: barred(of) })
    return [
      ...(of.capturing === true ? [] : [act(true, ['启动抓拍', 'Start capturing'])]),
      ...(of.capturing === false ? [] : [act(false, ['停止抓拍', 'Stop capturing'])]),
    ]
  }
}
const barred = (of: Row): Text | undefined =>
  of.useStatus !== DeviceUse.inUse
    ? ['未投用', 'Not in use']
    : !of.online
      ? ['设备离线', 'Device offline']
      : isUnderWay(of)
        ? ['上一条指令还没有结果', 'The last command has no result yet']
        : undefined
