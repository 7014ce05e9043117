import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Call } from '../../contract/call.ts'
import { bin } from '../../contract/records.ts'
import { ask, newKey } from '../ask.ts'
import { confirm, toast } from '../page/hosts.tsx'
import { say, type Text } from '../text.ts'

/** Texts of the standard buttons: one word for one act on every screen; and of a search that is left open. */
export const Label = {
  view: ['查看', 'View'],
  edit: ['编辑', 'Edit'],
  delete: ['删除', 'Delete'],
  add: ['新增', 'Add'],
  export: ['导出', 'Export'],
  import: ['导入', 'Import'],
  disable: ['停用', 'Disable'],
  enable: ['启用', 'Enable'],
  download: ['下载', 'Download'],
  template: ['下载模板', 'Download template'],
  use: ['投入使用', 'Put into use'],
  scrap: ['报废', 'Scrap'],
  normal: ['正常', 'Normal'],
  fault: ['故障', 'Fault'],
  release: ['解除', 'Release'],
  postpone: ['延期', 'Extend'],
  any: ['全部', 'Any'],
} as const satisfies Record<string, Text>

/**
 * Asks 确定删除? with the name of what goes, deletes while 删除中... shows, says 删除成功 and asks the changed lists again. False when it was cancelled or refused.
 * `undo` names a row that waits in the bin: it can be brought back while the line stands. Use it inside a component: `const remove = useRemove([gate.query])`.
 */
export function useRemove(changes: readonly Call<any, any>[]) {
  const cache = useQueryClient()
  return async <I,>(call: Call<I, unknown>, input: I, name: string, undo?: { kind: string; key: string }): Promise<boolean> => {
    const key = newKey()
    let deleted = false
    const sure = await confirm({
      title: say(['提示', 'Please confirm']),
      content: <Question of={name} />,
      okText: say(['确定', 'OK']),
      cancelText: say(['取消', 'Cancel']),
      okButtonProps: { danger: true },
      onOk: async () => {
        running.show(true)
        try {
          await ask(call, input, { key })
          deleted = true
        } catch {
          // The refusal was shown and noted by `ask`.
        } finally {
          running.show(false)
        }
      },
    })
    if (!sure || !deleted) return false
    const renew = () => Promise.all(changes.map((one) => cache.invalidateQueries({ queryKey: [one.id] })))
    await renew()
    const back = async () => {
      await ask(bin.undo, undo!)
      await renew()
      toast('success', ['已恢复', 'Restored'])
    }
    // What refuses it was shown and noted by `ask`.
    const act = undo && { text: say(['撤销', 'Undo']), run: () => void back().catch(() => {}) }
    toast('success', ['删除成功', 'Deleted'], act)
    return true
  }
}
/** 删除 of a row, for whoever may: `deleting(remove, gate.delete, { id: row.id }, row.name)`. */
export const deleting = <I,>(
  remove: ReturnType<typeof useRemove>,
  call: Call<I, unknown>,
  input: I,
  name: string,
  undo?: { kind: string; key: string },
) => ({
  text: Label.delete,
  needs: call.needs,
  run: () => void remove(call, input, name, undo),
  danger: true,
})
const running: { show: (now: boolean) => void } = { show: () => {} }
function Question({ of }: { of: string }) {
  const [now, show] = useState(false)
  running.show = show
  return (
    <>
      <span role="status">{now ? say(['删除中...', 'Deleting…']) : say(['确定删除?', 'Delete it?'])}</span>
      <b className="goes">{of}</b>
    </>
  )
}

/**
 * Does a writing call behind a question, for a row button: `act` names it on the button (确认退款 ¥12.00), `detail` says below it what follows. Says `done`, asks the changed lists again.
 */
export function useAct(changes: readonly Call<any, any>[]) {
  const cache = useQueryClient()
  return async <I, R>(
    call: Call<I, R>,
    input: I,
    { question, detail, act, done, answered }: { question?: Text; detail?: Text; act?: Text; done?: Text; answered?: (reply: R) => void } = {},
  ): Promise<boolean> => {
    const key = newKey()
    let ok = false
    const run = async () => {
      try {
        const reply = await ask(call, input, { key })
        answered?.(reply)
        ok = true
      } catch {
        // Shown and noted by `ask`.
      }
    }
    if (question)
      await confirm({
        title: say(question),
        content: detail && say(detail),
        okText: say(act ?? ['确定', 'OK']),
        cancelText: say(['取消', 'Cancel']),
        onOk: run,
      })
    else await run()
    if (!ok) return false
    await Promise.all(changes.map((one) => cache.invalidateQueries({ queryKey: [one.id] })))
    if (done) toast('success', done)
    return true
  }
}
