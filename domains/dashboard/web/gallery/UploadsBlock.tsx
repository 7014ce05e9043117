import { useState } from 'react'
import type { Attachment } from '../../../../platform/contract/field.ts'
import { FileUpload, ImageUpload } from '../../../../platform/web/file/Upload.tsx'
import { type Text, useText } from '../../../../platform/web/text.ts'

export default function UploadsBlock() {
  const [pictures, setPictures] = useState('')
  const [files, setFiles] = useState<readonly Attachment[]>([])
  return (
    <div className="show panel">
      <Head name={['图片', 'Pictures']} />
      <ImageUpload value={pictures} onChange={setPictures} />
      <Head name={['附件', 'Attachments']} />
      <FileUpload value={files} onChange={setFiles} />
    </div>
  )
}
function Head({ name }: { name: Text }) {
  const say = useText()
  return <h2>{say(name)}</h2>
}
