import { type ReactNode, useRef, useState } from 'react'
import { useText } from '../text.ts'

/** A place that takes files: dropped on it, pasted while the focus is in it, or chosen (`children` gets what opens the choice). */
export function DropZone({
  className,
  accept,
  disabled,
  onFiles,
  children,
}: {
  className: string
  accept: string
  disabled: boolean
  onFiles: (files: File[]) => void
  children: (choose: () => void) => ReactNode
}) {
  const say = useText()
  const chooser = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const take = (files: FileList | null) => {
    if (!disabled && files && files.length > 0) onFiles([...files])
  }
  return (
    <div
      className={`${className}${over ? ' over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault()
        if (!disabled) setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        take(event.dataTransfer.files)
      }}
      onPaste={(event) => take(event.clipboardData.files)}
    >
      {children(() => chooser.current?.click())}
      <input
        ref={chooser}
        type="file"
        hidden
        aria-label={say(['选择文件', 'Choose files'])}
        multiple
        accept={accept}
        disabled={disabled}
        onChange={({ target }) => {
          take(target.files)
          target.value = ''
        }}
      />
    </div>
  )
}
