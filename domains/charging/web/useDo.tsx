import { useQueryClient } from '@tanstack/react-query'
import type { Call } from '../../../platform/contract/call.ts'
import { ask, newKey } from '../../../platform/web/ask.ts'
import { confirm, toast } from '../../../platform/web/hosts.tsx'
import { say, type Text } from '../../../platform/web/text.ts'

/** Asks once, does it, says so and reads the changed lists again; a refusal is shown where all are. */
export function useDo(changes: readonly Call<any, any>[]) {
  const cache = useQueryClient()
  return async <I, R>(call: Call<I, R>, input: I, { title, content, done }: { title: Text; content: Text; done: Text }): Promise<R | undefined> => {
    const sure = await confirm({ title: say(title), content: say(content), okText: say(['确定', 'OK']), cancelText: say(['取消', 'Cancel']) })
    if (!sure) return undefined
    try {
      const reply = await ask(call, input, { key: newKey() })
      await Promise.all(changes.map((one) => cache.invalidateQueries({ queryKey: [one.id] })))
      toast('success', done)
      return reply
    } catch {
      // It was shown and noted by `ask`.
      return undefined
    }
  }
}
