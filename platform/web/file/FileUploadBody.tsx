import { plural } from '../../contract/plural.ts'
import { CloseOutlined, PaperClipOutlined, RedoOutlined, UploadOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useRef } from 'react'
import type { Attachment } from '../../contract/field.ts'
import { AttachmentLink } from './Attachments.tsx'
import { DropZone } from './DropZone.tsx'
import { useText } from '../text.ts'
import { ATTACHMENT_ENDINGS, FILES_MAX, refusalOfFile } from './upload.ts'
import { type Sending, useUploads } from './useUploads.ts'
import './upload.css'

export interface FileUploadProps {
  id?: string
  value?: readonly Attachment[] | null
  onChange?: (value: Attachment[]) => void
  disabled?: boolean
  /** 20 when left out. */
  max?: number
}

/** Attachments, one line each: name, size, a way to take it off again. They are saved by whoever opens them, never shown in our own page. */
export default function FileUploadBody({ id, value, onChange, disabled = false, max = FILES_MAX }: FileUploadProps) {
  const say = useText()
  const list = value ?? []
  const now = useRef(list)
  now.current = list
  const put = (next: Attachment[]) => {
    now.current = next
    onChange?.(next)
  }
  const uploads = useUploads({
    refused: refusalOfFile,
    room: max - list.length,
    full: [`最多上传 ${max} 个文件`, `At most ${max} ${plural(max, 'file')}`],
    done: ({ url }, file) => put([...now.current, { name: file.name, url, bytes: file.size }]),
  })
  const isFull = list.length + uploads.sending.length >= max
  const remove = say(['移除', 'Remove'])
  return (
    <DropZone
      className="file-upload"
      accept={ATTACHMENT_ENDINGS.map((ending) => `.${ending}`).join(',')}
      disabled={disabled || isFull}
      onFiles={uploads.add}
    >
      {(choose) => (
        <>
          {!disabled && (
            <div className="file-add">
              <Button {...(id && { id })} size="small" icon={<UploadOutlined />} disabled={isFull} onClick={choose}>
                {say(['选择文件', 'Choose files'])}
              </Button>
              <span className="faint">
                {say([
                  `或拖到这里；图片、PDF、Office、文本，每个不超过 20MB，最多 ${max} 个`,
                  `or drop them here; pictures, PDF, Office, text, at most 20 MB each, ${max} at most`,
                ])}
              </span>
            </div>
          )}
          <ul>
            {list.map((one) => (
              <li key={one.url} data-attachment>
                <PaperClipOutlined /> <AttachmentLink of={one} />
                {!disabled && (
                  <button
                    type="button"
                    title={remove}
                    aria-label={`${remove} ${one.name}`}
                    onClick={() => put(list.filter(({ url }) => url !== one.url))}
                  >
                    <CloseOutlined />
                  </button>
                )}
              </li>
            ))}
            {uploads.sending.map((one) => (
              <SendingLine key={one.key} of={one} onRetry={() => uploads.retry(one)} onCancel={() => uploads.cancel(one.key)} />
            ))}
          </ul>
        </>
      )}
    </DropZone>
  )
}

/** One that is on its way, or did not arrive. */
function SendingLine({ of: one, onRetry, onCancel }: { of: Sending; onRetry: () => void; onCancel: () => void }) {
  const say = useText()
  return (
    <li data-sending={one.error ? 'failed' : 'sending'}>
      <PaperClipOutlined /> <span>{one.file.name}</span>
      {one.error ? <span className="bad">{one.error}</span> : <progress value={one.share} max={1} aria-label={one.file.name} />}
      {one.error && (
        <button type="button" title={say(['重试', 'Try again'])} aria-label={say(['重试', 'Try again'])} onClick={onRetry}>
          <RedoOutlined />
        </button>
      )}
      <button type="button" title={say(['取消', 'Cancel'])} aria-label={say(['取消', 'Cancel'])} onClick={onCancel}>
        <CloseOutlined />
      </button>
    </li>
  )
}
