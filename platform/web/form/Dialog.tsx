import { Modal, type ModalProps } from 'antd'
import type { ReactNode } from 'react'
import { useUnsaved } from './guard.ts'

interface Props extends Omit<ModalProps, 'open' | 'onCancel' | 'footer'> {
  /** Something in it was typed or chosen, and would be lost. */
  changed: boolean
  /** It has been left: by ×, Esc or 取消, after a question where something is changed; whoever saved closes it without one. */
  onClose: () => void
  /** Buttons of its own; its way out is `leave`. antd's two when left out, none for null. */
  footer?: ReactNode | ((leave: () => void) => ReactNode)
}
/** A dialog whose fields are its own. What is merely fields of a call is a `FormDialog`. */
export function Dialog({ changed, onClose, footer, ...rest }: Props) {
  const guard = useUnsaved(changed)
  const leave = () => void guard.leave(onClose)
  return (
    <Modal
      open
      mask={{ closable: !changed }}
      {...rest}
      onCancel={leave}
      {...(footer !== undefined && { footer: typeof footer === 'function' ? footer(leave) : footer })}
    />
  )
}
