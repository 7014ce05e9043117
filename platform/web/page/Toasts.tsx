import { CheckCircleFilled, CloseCircleFilled, ExclamationCircleFilled, InfoCircleFilled } from '@ant-design/icons'
import { choice } from '../kept.ts'

export type Level = 'success' | 'warning' | 'error' | 'info'
interface Toast {
  level: Level
  text: string
  act?: ToastAct | undefined
}
/** Something that can be done about it while it is read: 撤销. Such a line stays longer. */
export interface ToastAct {
  text: string
  run: () => void
}
const TOAST_MS = 2_000
const WITH_ACT_MS = 5_000
const TOASTS_MOST = 5
const toasts = choice<readonly Toast[]>([])
const timers = new Map<string, ReturnType<typeof setTimeout>>()

/**
 * A line at the top of the page for two seconds. The same line said again stays where it is, for two more: ten lists
 * that fail for one reason say it once, and it does not flicker under the eye or the pointer.
 */
export function show(level: Level, text: string, act?: ToastAct) {
  const line: Toast = { level, text, act }
  const now = toasts.get()
  toasts.set(now.some((one) => one.text === text) ? now.map((one) => (one.text === text ? line : one)) : [...now, line].slice(-TOASTS_MOST))
  clearTimeout(timers.get(text))
  timers.set(
    text,
    setTimeout(() => gone(text), act ? WITH_ACT_MS : TOAST_MS),
  )
}
function gone(text: string) {
  clearTimeout(timers.get(text))
  timers.delete(text)
  toasts.set(toasts.get().filter((one) => one.text !== text))
}

const icons = { success: CheckCircleFilled, warning: ExclamationCircleFilled, error: CloseCircleFilled, info: InfoCircleFilled } as const
export function Toasts() {
  return (
    <div className="toasts" aria-live="assertive">
      {toasts.use().map(({ level, text, act }) => {
        const Icon = icons[level]
        return (
          <div key={text} className={`toast ${level}`} role={level === 'error' ? 'alert' : 'status'}>
            <Icon /> {text}
            {act && (
              <button
                type="button"
                onClick={() => {
                  gone(text)
                  act.run()
                }}
              >
                {act.text}
              </button>
            )}
          </div>
        )
      })}
    </div>
  )
}
