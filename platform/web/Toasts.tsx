import { CheckCircleFilled, CloseCircleFilled, ExclamationCircleFilled, InfoCircleFilled } from '@ant-design/icons'
import { choice } from './kept.ts'

export type Level = 'success' | 'warning' | 'error' | 'info'
interface Toast {
  id: number
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
let last = 0

/** A line at the top of the page for two seconds. The same line twice stays once: ten lists that fail for one reason say it once. */
export function show(level: Level, text: string, act?: ToastAct) {
  const id = ++last
  toasts.set([...toasts.get().filter((one) => one.text !== text), { id, level, text, act }].slice(-TOASTS_MOST))
  setTimeout(() => gone(id), act ? WITH_ACT_MS : TOAST_MS)
}
const gone = (id: number) => toasts.set(toasts.get().filter((one) => one.id !== id))

const icons = { success: CheckCircleFilled, warning: ExclamationCircleFilled, error: CloseCircleFilled, info: InfoCircleFilled } as const
export function Toasts() {
  return (
    <div className="toasts" aria-live="assertive">
      {toasts.use().map(({ id, level, text, act }) => {
        const Icon = icons[level]
        return (
          <div key={id} className={`toast ${level}`} role={level === 'error' ? 'alert' : 'status'}>
            <Icon /> {text}
            {act && (
              <button
                type="button"
                onClick={() => {
                  gone(id)
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
