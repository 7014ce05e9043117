import { useText } from '../../../platform/web/text.ts'

/** Whether a pile is connected. */
export function Online({ is }: { is: boolean }) {
  const say = useText()
  return <span className={`state ${is ? 'success' : 'error'}`}>{say(is ? ['在线', 'Online'] : ['离线', 'Offline'])}</span>
}
