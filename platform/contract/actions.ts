import { deedOf } from './call.ts'

type Text = readonly [zh: string, en: string]

/**
 * The deed behind a call, or behind another source of a change: `parking.gate-operation.open-gate` → 手动放行. An unknown call shows
 * its own id.
 */
export function actionOf(via: string, known: (id: string) => Text | undefined = deedOf): Text {
  const deed = known(via)
  if (deed) return deed
  if (via.startsWith('mqtt.')) return ['设备上报', 'Reported by device']
  return via.split('.').length < CALL_WORDS ? ['系统任务', 'System task'] : [via, via]
}
/** `domain.noun.verb`; a job has no noun. */
const CALL_WORDS = 3
