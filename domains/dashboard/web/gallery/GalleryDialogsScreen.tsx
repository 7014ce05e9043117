import { dialogs } from './blocks.ts'
import { GalleryPage } from './GalleryPage.tsx'

export default function GalleryDialogsScreen() {
  return <GalleryPage purpose={['弹窗与表单，每种模式一个例子。', 'Dialogs and forms, one example of each mode.']} blocks={dialogs} />
}
