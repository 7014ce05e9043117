import { useEffect, useId } from 'react'
import { confirm } from '../page/hosts.tsx'
import { usePage } from '../page/page.tsx'
import { say, type Text } from '../text.ts'
import { unsaved } from './unsaved.ts'

/**
 * Says of what is changed here, and not saved, that it would be lost: closing the tab, the browser, or the page beyond the most that are open, asks first.
 * `leave` goes on at once, or after the same question. `drafted` where what was typed is kept as a draft all the same.
 */
export function useUnsaved(changed: boolean, { question, drafted = false }: { question?: Discard | undefined; drafted?: boolean } = {}) {
  const { path } = usePage()
  const holder = useId()
  useEffect(() => {
    unsaved.on(path, changed, holder, { drafted })
    return () => void unsaved.gone(path, holder)
  }, [changed, path, holder, drafted])
  return {
    leave: async (go: () => void) => {
      if (changed && !(await askToDiscard(question))) return
      unsaved.on(path, false, holder)
      go()
    },
    /** Before what it was is drawn: saved, or given up. */
    settle: () => unsaved.on(path, false, holder),
  }
}

/** What would be lost, and the two answers. */
export interface Discard {
  title?: Text
  ok?: Text
  cancel?: Text
}
export const askToDiscard = ({
  title = ['放弃未保存的修改？', 'Discard the unsaved changes?'],
  ok = ['放弃修改', 'Discard'],
  cancel = ['继续编辑', 'Keep editing'],
}: Discard = {}) =>
  confirm({
    title: say(title),
    okText: say(ok),
    cancelText: say(cancel),
    autoFocusButton: 'cancel',
  })
