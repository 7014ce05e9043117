import { message, type ModalFuncProps } from 'antd'
import { lazy, Suspense, useEffect } from 'react'
import { choice } from './kept.ts'
import { say, type Text } from './text.ts'

export type Level = 'success' | 'warning' | 'error' | 'info'
const TOAST_SECONDS = 2
let show: ((level: Level, text: string) => void) | undefined

/** A question that waits for its answer. */
export interface Question {
  props: ModalFuncProps
  answer: (sure: boolean) => void
}
const asked = choice<Question | undefined>(undefined)
// Questions are rare: their dialog comes with the first one.
const Questions = lazy(() => import('./Questions.tsx'))

/** Mounted once by the shell, inside theme and language, so that toasts and questions look like the rest. */
export function HostsOfToasts() {
  const [messages, host] = message.useMessage({ maxCount: 5 })
  const question = asked.use()
  useEffect(() => {
    // One key per text: ten lists that fail for one reason say it once.
    show = (level, text) => void messages.open({ type: level, content: text, key: text, duration: TOAST_SECONDS })
  }, [messages])
  return (
    <>
      {host}
      {question && (
        <Suspense>
          <Questions question={question} />
        </Suspense>
      )}
    </>
  )
}

/** A line at the top of the page for two seconds. */
export const toast = (level: Level, text: Text | string) => show?.(level, typeof text === 'string' ? text : say(text))
/** A question before something is done. Answers true when it was confirmed, after `onOk` has ended. */
export const confirm = (props: ModalFuncProps): Promise<boolean> => new Promise((answer) => asked.set({ props, answer }))
