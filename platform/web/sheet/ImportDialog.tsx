import { UploadOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react'
import type { Call } from '../../contract/call.ts'
import type { ImportCall } from '../../contract/sheet.ts'
import { can } from '../person.ts'
import { Label } from '../form/remove.tsx'
import { useText } from '../text.ts'

export interface ImportProps {
  call: ImportCall<any>
  /** The catalogue's own template call, where there is one. */
  template?: Call<any, unknown>
  /** Calls whose answers the import makes old. */
  changes: readonly Call<any, any>[]
  /** A form above the file for further input, whose values go with it. `also` is undefined while the form is not complete. */
  form?: ReactNode
  also?: object | undefined
  onClose: () => void
}
// A dialog that few people open comes when it is opened.
const Body = lazy(() => import('./ImportDialogBody.tsx')) as ComponentType<ImportProps>

/** Template, file, preview, what is wrong with which row, and only then the import. Mount it when it opens, unmount it in `onClose`. */
export const ImportDialog = (props: ImportProps) => (
  <Suspense>
    <Body {...props} />
  </Suspense>
)

/** The button over a list and its dialog; nothing for whoever may not. */
export function ImportButton(props: Omit<ImportProps, 'onClose'>) {
  const say = useText()
  const [open, setOpen] = useState(false)
  if (!can(props.call.needs)) return null
  return (
    <>
      <Button icon={<UploadOutlined />} onClick={() => setOpen(true)}>
        {say(Label.import)}
      </Button>
      {open && <ImportDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}
