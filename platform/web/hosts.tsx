import { message, Modal, type ModalFuncProps } from 'antd'
import { useEffect } from 'react'
import type { Text } from './text.ts'
import { say } from './text.ts'

type Level = 'success' | 'warning' | 'error' | 'info'
interface Hosts {
  toast: (level: Level, text: string) => void
  confirm: (props: ModalFuncProps) => PromiseLike<boolean>
}
const TOAST_SECONDS = 2
let hosts: Hosts | undefined

/** Mounted once by the shell, inside theme and language, so that toasts and questions look like the rest. */
export function HostsOfToasts() {
  const [messages, messageHost] = message.useMessage({ maxCount: 5 })
  const [modal, modalHost] = Modal.useModal()
  useEffect(() => {
    hosts = {
      // One key per text: ten lists that fail for one reason say it once.
      toast: (level, text) => void messages.open({ type: level, content: text, key: text, duration: TOAST_SECONDS }),
      confirm: (props) => modal.confirm(props) as PromiseLike<boolean>,
    }
  }, [messages, modal])
  return (
    <>
      {messageHost}
      {modalHost}
    </>
  )
}

/** A line at the top of the page for two seconds. */
export const toast = (level: Level, text: Text | string) => hosts?.toast(level, typeof text === 'string' ? text : say(text))
/** A question before something is done. Answers true when it was confirmed. */
export const confirm = (props: ModalFuncProps): PromiseLike<boolean> => hosts?.confirm(props) ?? Promise.resolve(false)
