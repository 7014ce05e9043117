import { deedOf } from './call.ts'

type Text = readonly [zh: string, en: string]

/** What a call did, or whatever else changed something: `parking.gate-operation.open-gate` → 手动放行. A call that nobody knows any more shows its own name. */
export function actionOf(via: string, known: (id: string) => Text | undefined = deedOf): Text {
  const deed = known(via)
  if (deed) return deed
  if (via.startsWith('mqtt.')) return ['设备上报', 'Reported by device']
  return via.split('.').length < CALL_WORDS ? ['系统任务', 'System task'] : [via, via]
}
/** `domain.noun.verb`; a job has no noun. */
const CALL_WORDS = 3
