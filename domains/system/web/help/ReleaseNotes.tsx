import { useQueryClient } from '@tanstack/react-query'
import { Button, Modal } from 'antd'
import { useState } from 'react'
import type { Of } from '../../../../platform/contract/field.ts'
import { ask } from '../../../../platform/web/ask.ts'
import { RichText } from '../../../../platform/web/rich/RichText.tsx'
import { language, useText } from '../../../../platform/web/text.ts'
import { Time } from '../../../../platform/web/value.tsx'
import { type ReadNote, updateInfo } from '../../contract/updateNote.ts'
import '../system.css'

/** Release notes since the person was last here: shown once, after signing in; closing marks them as seen. */
export default function ReleaseNotes({ notes: data }: { notes: readonly Of<typeof ReadNote>[] }) {
  const say = useText()
  const cache = useQueryClient()
  const [closed, setClosed] = useState(false)
  if (closed) return null
  const close = () => {
    setClosed(true)
    void ask(updateInfo.seen, { ids: data.map(({ id }) => id) }, { quiet: true })
      .then(() => cache.invalidateQueries({ queryKey: [updateInfo.selectPage.id] }))
      .catch(() => {}) // it is shown once more at the next sign-in
  }
  return (
    <Modal
      open
      width={720}
      title={say(['有什么变化', 'What’s new'])}
      onCancel={close}
      footer={
        <Button type="primary" onClick={close}>
          {say(['知道了', 'Got it'])}
        </Button>
      }
    >
      <div className="notes">
        {data.map((one) => (
          <Note key={one.id} of={one} />
        ))}
      </div>
    </Modal>
  )
}

export function Note({ of }: { of: Of<typeof ReadNote> }) {
  const say = useText()
  const words = language.use() === 'en' ? of.contentEn || of.content : of.content
  return (
    <article className="article note">
      <h3>
        {say([of.title, of.titleEn])} <code>{of.release}</code>
      </h3>
      <p className="faint">
        <Time at={of.publishAt} />
      </p>
      <RichText html={words} />
    </article>
  )
}
