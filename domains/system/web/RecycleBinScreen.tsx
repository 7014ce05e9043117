import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import type { Of } from '../../../platform/contract/field.ts'
import { bin, BIN_DAYS, type Deleted, deletedSearch } from '../../../platform/contract/records.ts'
import { asks } from '../../../platform/web/ask.ts'
import { ListScreen } from '../../../platform/web/ListScreen.tsx'
import { toast } from '../../../platform/web/hosts.tsx'
import { useAct } from '../../../platform/web/remove.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { Time } from '../../../platform/web/value.tsx'

const CHANGES = [bin.query]
const DAY_MS = 86_400_000

/** What was deleted within the last days, and the way back. */
export default function RecycleBinScreen() {
  const say = useText()
  const act = useAct(CHANGES)
  const { data: kinds = [] } = useQuery(asks(bin.kinds, {}, { quiet: true }))
  const nameOf = (kind: string): Text => {
    const found = kinds.find((one) => one.kind === kind)
    return found ? [found.zh, found.en] : [kind, kind]
  }
  const restore = ({ id, title }: Of<typeof Deleted>) =>
    act(
      bin.restore,
      { id },
      {
        question: [`恢复「${title}」？`, `Bring “${title}” back?`],
        act: ['恢复', 'Bring back'],
        done: ['已恢复', 'Brought back'],
        answered: ({ lost }) => {
          if (lost > 0) toast('warning', [`有 ${lost} 项关联已不存在，未恢复`, `${lost} ties are gone and did not come back`])
        },
      },
    )
  return (
    <ListScreen
      purpose={[
        `删除的数据在此保留 ${BIN_DAYS} 天，可以恢复；文件的回收站在文件管理中`,
        `What is deleted stays here for ${BIN_DAYS} days and can be brought back; files have a bin of their own on their page`,
      ]}
      query={bin.query}
      search={deletedSearch}
      find={[{ name: 'kind', control: <Kinds options={kinds.map(({ kind }) => ({ value: kind, label: say(nameOf(kind)) }))} /> }, 'title', 'at']}
      columns={[
        { dataIndex: 'kind', render: (_, { kind }) => say(nameOf(kind)) },
        'title',
        'at',
        'authorName',
        {
          key: 'until',
          title: say(['保留至', 'Kept until']),
          render: (_, { at }) => <Time at={new Date(Date.parse(at) + BIN_DAYS * DAY_MS).toISOString()} />,
        },
      ]}
      actions={(row) => [{ text: ['恢复', 'Bring back'], run: () => void restore(row) }]}
    />
  )
}

function Kinds({
  options,
  ...props
}: {
  options: { value: string; label: string }[]
  id?: string
  value?: string[]
  onChange?: (value: string[]) => void
}) {
  const say = useText()
  return <Select mode="multiple" allowClear className="search-many" placeholder={say(['全部种类', 'Every kind'])} options={options} {...props} />
}
