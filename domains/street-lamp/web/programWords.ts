import { lasting } from '../../../platform/contract/duration.ts'
import type { Of } from '../../../platform/contract/field.ts'
import type { Text } from '../../../platform/web/text.ts'
import type { Timer } from '../contract/timer.ts'
import { Relay } from '../contract/wiring.ts'

type Action = Of<typeof Timer>['actions'][number]

export function whenWords(at: string): Text {
  const [, edge, shift] = /^(sunset|sunrise)([+-]\d+)?$/.exec(at) ?? []
  if (!edge) return [at, at]
  const minutes = Number(shift ?? 0)
  const [zh, en] = edge === 'sunset' ? ['日落', 'sunset'] : ['日出', 'sunrise']
  if (minutes === 0) return [zh, en]
  const [zhLong, enLong] = lasting(Math.abs(minutes))
  return [`${zh}${minutes > 0 ? '后' : '前'} ${zhLong}`, `${enLong} ${minutes > 0 ? 'after' : 'before'} ${en}`]
}
export function actionWords({ at, relay, dim }: Action): Text {
  const [zh, en] = whenWords(at)
  return relay === Relay.on ? [`${zh} ${dim}%`, `${en} ${dim}%`] : [`${zh} 关`, `${en} off`]
}
