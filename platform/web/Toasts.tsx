import { CheckCircleFilled, CloseCircleFilled, ExclamationCircleFilled, InfoCircleFilled } from '@ant-design/icons'
import { choice } from './kept.ts'

export type Level = 'success' | 'warning' | 'error' | 'info'
interface Toast {
  id: number
  level: Level
  text: string
}
const TOAST_MS = 2_000
const TOASTS_MOST = 5
const toasts = choice<readonly Toast[]>([])
let last = 0

/** A line at the top of the page for two seconds. The same line twice stays once: ten lists that fail for one reason say it once. */
export function show(level: Level, text: string) {
  const id = ++last
  toasts.set([...toasts.get().filter((one) => one.text !== text), { id, level, text }].slice(-TOASTS_MOST))
  setTimeout(() => toasts.set(toasts.get().filter((one) => one.id !== id)), TOAST_MS)
}

const icons = { success: CheckCircleFilled, warning: ExclamationCircleFilled, error: CloseCircleFilled, info: InfoCircleFilled } as const
export function Toasts() {
  return (
    <div className="toasts" aria-live="assertive">
      {toasts.use().map(({ id, level, text }) => {
        const Icon = icons[level]
        return (
          <div key={id} className={`toast ${level}`} role={level === 'error' ? 'alert' : 'status'}>
            <Icon /> {text}
          </div>
        )
      })}
    </div>
  )
}
