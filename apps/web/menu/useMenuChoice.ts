import { useNavigate } from 'react-router'
import { menuCalls } from '../../../domains/identity/contract/menu.ts'
import { ask } from '../../../platform/web/ask.ts'
import { toast } from '../../../platform/web/page/hosts.tsx'
import { person } from '../../../platform/web/person.ts'
import { type Choice, choiceOf, chosenIn, type Entry, type Route } from './menu.ts'

/** Does what choosing an entry (or a bare value) of a menu means, and records the click. */
export function useMenuChoice() {
  const navigate = useNavigate()
  return (entry: Entry | Route | string | undefined, by?: Choice) => {
    const isEntry = typeof entry === 'object'
    const choice = by ?? (!isEntry ? chosenIn(entry) : 'url' in entry ? choiceOf(entry) : chosenIn(entry.path))
    if (isEntry) recordClick(entry.id)
    if ('warn' in choice) return toast('warning', choice.warn)
    if ('open' in choice) return void window.open(choice.open, '_blank', 'noopener,noreferrer')
    // A way that the router refuses is nothing to bother the person with.
    void Promise.resolve(navigate(choice.go)).catch(() => {})
  }
}

function recordClick(menuId: string) {
  const custId = person.get()?.custId
  if (!menuId || !custId) return
  void ask(menuCalls.click, { menuId: menuId as never, custId }, { quiet: true }).catch(() => {})
}
