import { Modal } from 'antd'
import { useEffect } from 'react'
import type { Question } from './hosts.tsx'

/** Asks one question after the other. */
export default function Questions({ question }: { question: Question }) {
  const [modal, host] = Modal.useModal()
  useEffect(() => {
    void modal.confirm(question.props).then(question.answer, () => question.answer(false))
  }, [question])
  return host
}
