import type { Editor } from '@tiptap/core'
import { isPicture, refusalOfPicture, send } from '../file/upload.ts'
import { toast } from '../page/hosts.tsx'

export const picturesIn = (from: DataTransfer | null): File[] => [...(from?.files ?? [])].filter((file) => file.type.startsWith('image/'))

/** Uploads pictures one after the other and puts each where the cursor is. Answers whether there were any: the browser then does nothing of its own. */
export function insertPictures(editor: Editor, files: readonly File[]): boolean {
  if (files.length === 0) return false
  void (async () => {
    for (const file of files) {
      const refused = refusalOfPicture(file)
      if (refused || !isPicture(file)) {
        toast('error', refused!)
        continue
      }
      // Refusals of the server are shown by the call itself.
      const { url } = await send(file, { only: 'picture' }).catch(() => ({ url: '' }))
      if (url && !editor.isDestroyed)
        editor
          .chain()
          .focus()
          .setImage({ src: url, alt: file.name.replace(/\.\w+$/, '') })
          .run()
    }
  })()
  return true
}
