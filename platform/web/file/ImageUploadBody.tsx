import { plural } from '../../contract/plural.ts'
import { CloseOutlined, LeftOutlined, PlusOutlined, RedoOutlined, RightOutlined } from '@ant-design/icons'
import { Image } from 'antd'
import { type ReactNode, useRef } from 'react'
import { DropZone } from './DropZone.tsx'
import { useText } from '../text.ts'
import { FILES_MAX, refusalOfPicture } from './upload.ts'
import { type Sending, useUploads } from './useUploads.ts'
import { imagesOf } from '../value.tsx'
import './upload.css'

export interface ImageUploadProps {
  id?: string
  /** Comma list of addresses, as the contract's image fields are. */
  value?: string | null
  onChange?: (value: string) => void
  disabled?: boolean
  /** 20 when left out. */
  max?: number
}

/** Small pictures in their order; a click enlarges. Chosen, dropped or pasted; each shows how far it is, and what failed can be tried again. */
export default function ImageUploadBody({ id, value, onChange, disabled = false, max = FILES_MAX }: ImageUploadProps) {
  const say = useText()
  const list = imagesOf(value)
  // Several may arrive before the form has drawn the first.
  const now = useRef(list)
  now.current = list
  const put = (next: string[]) => {
    now.current = next
    onChange?.(next.join(','))
  }
  const uploads = useUploads({
    refused: refusalOfPicture,
    only: 'picture',
    room: max - list.length,
    full: [`最多上传 ${max} 张图片`, `At most ${max} ${plural(max, 'picture')}`],
    done: ({ url }) => put([...now.current, url]),
  })
  const move = (at: number, by: 1 | -1) => {
    const next = [...list]
    next.splice(at + by, 0, ...next.splice(at, 1))
    put(next)
  }
  const isFull = list.length + uploads.sending.length >= max
  return (
    <DropZone className="image-upload" accept=".jpg,.jpeg,.png" disabled={disabled || isFull} onFiles={uploads.add}>
      {(choose) => (
        <>
          <Image.PreviewGroup>
            {list.map((address, at) => (
              <figure key={address} data-picture>
                <Image src={address} width={88} height={88} alt={say([`第 ${at + 1} 张图片`, `Picture ${at + 1}`])} />
                {!disabled && (
                  <figcaption>
                    <Act label={say(['前移', 'Move forward'])} off={at === 0} onClick={() => move(at, -1)} icon={<LeftOutlined />} />
                    <Act label={say(['后移', 'Move back'])} off={at === list.length - 1} onClick={() => move(at, 1)} icon={<RightOutlined />} />
                    <Act label={say(['移除', 'Remove'])} onClick={() => put(list.filter((_, place) => place !== at))} icon={<CloseOutlined />} />
                  </figcaption>
                )}
              </figure>
            ))}
          </Image.PreviewGroup>
          {uploads.sending.map((one) => (
            <OnItsWay key={one.key} one={one} retry={() => uploads.retry(one)} cancel={() => uploads.cancel(one.key)} />
          ))}
          {!disabled && !isFull && (
            <button type="button" {...(id && { id })} className="image-add" onClick={choose}>
              <PlusOutlined />
              {say(['上传图片', 'Add pictures'])}
            </button>
          )}
          <p className="faint">{say([`JPG、JPEG、PNG，每张不超过 20MB，最多 ${max} 张`, `JPG, JPEG or PNG, at most 20 MB each, ${max} at most`])}</p>
        </>
      )}
    </DropZone>
  )
}

function OnItsWay({ one: { file, share, error }, retry, cancel }: { one: Sending; retry: () => void; cancel: () => void }) {
  const say = useText()
  return (
    <figure data-sending={error ? 'failed' : 'sending'}>
      <div className="image-waits" title={error ?? file.name}>
        {error ? <span className="bad">{error}</span> : <span className="faint">{file.name}</span>}
        {!error && <progress value={share} max={1} aria-label={file.name} />}
      </div>
      <figcaption>
        {error && <Act label={say(['重试', 'Try again'])} onClick={retry} icon={<RedoOutlined />} />}
        <Act label={say(['取消', 'Cancel'])} onClick={cancel} icon={<CloseOutlined />} />
      </figcaption>
    </figure>
  )
}

const Act = ({ label, icon, onClick, off = false }: { label: string; icon: ReactNode; onClick: () => void; off?: boolean }) => (
  <button type="button" title={label} aria-label={label} disabled={off} onClick={onClick}>
    {icon}
  </button>
)
