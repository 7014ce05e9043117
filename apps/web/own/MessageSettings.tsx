import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Checkbox, Form } from 'antd'
import { rule } from '../../../domains/message/contract/rule.ts'
import { MessageKind } from '../../../domains/message/contract/template.ts'
import { ask, asks } from '../../../platform/web/ask.ts'
import { useText } from '../../../platform/web/text.ts'

/** Which kinds of messages this person wants. Codes and what is urgent reach everybody. */
export function MessageSettings() {
  const say = useText()
  const cache = useQueryClient()
  const { data } = useQuery(asks(rule.unwanted, {}, { quiet: true }))
  const kinds = Object.keys(MessageKind.entries)
    .map(Number)
    .filter((kind) => kind !== MessageKind.code)
  const put = async (wanted: number[]) => {
    const refused = kinds.filter((kind) => !wanted.includes(kind))
    await ask(rule.refuse, { kinds: refused }).catch(() => {}) // shown by `ask`; the boxes then stand as they were
    await cache.invalidateQueries({ queryKey: [rule.unwanted.id] })
  }
  return (
    <Form.Item label={say(['接收消息', 'Messages'])} extra={say(['验证码和紧急消息总会收到', 'Codes and urgent messages are always sent'])}>
      <Checkbox.Group
        disabled={!data}
        value={kinds.filter((kind) => !data?.kinds.includes(kind))}
        options={kinds.map((kind) => ({ value: kind, label: say(MessageKind.entries[kind as keyof typeof MessageKind.entries]) }))}
        onChange={(wanted) => void put(wanted as number[])}
      />
    </Form.Item>
  )
}
