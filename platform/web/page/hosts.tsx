import type { ModalFuncProps } from 'antd'
import { lazy, Suspense } from 'react'
import { choice } from '../kept.ts'
import { say, type Text } from '../text.ts'
import { type Level, show, type ToastAct, Toasts } from './Toasts.tsx'

/** A question that waits for its answer. */
export interface Question {
  props: ModalFuncProps
  answer: (sure: boolean) => void
}
const asked = choice<Question | undefined>(undefined)
// Questions are rare: their dialog comes with the first one.
const Questions = lazy(() => import('./Questions.tsx'))

/** Mounted once by the shell, inside theme and language, so that toasts and questions look like the rest. */
export function Hosts() {
  const question = asked.use()
  return (
    <>
      <Toasts />
      {question && (
        <Suspense>
          <Questions question={question} />
        </Suspense>
      )}
    </>
  )
}

/** A line at the top of the page for two seconds: `error` is red. */
export const toast = (level: Level, text: Text | string, act?: ToastAct) => show(level, typeof text === 'string' ? text : say(text), act)
/** A question before something is done. Answers true when it was confirmed, after `onOk` has ended. */
export const confirm = (props: ModalFuncProps): Promise<boolean> => new Promise((answer) => asked.set({ props, answer }))
