import { plural } from '../../../platform/contract/plural.ts'
import { useQuery } from '@tanstack/react-query'
import type { Of } from '../../../platform/contract/field.ts'
import { bin, BIN_DAYS, type Deleted, deletedSearch } from '../../../platform/contract/records.ts'
import { asks } from '../../../platform/web/ask.ts'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { toast } from '../../../platform/web/page/hosts.tsx'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { can } from '../../../platform/web/person.ts'
import { Select } from '../../../platform/web/form/Select.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { Time } from '../../../platform/web/value.tsx'
import { document } from '../contract/document.ts'

const CHANGES = [bin.query]
/** Entries that take up storage as long as they wait here. */
const FILES = ['system.document', 'system.folder']
const DAY_MS = 86_400_000

/** Entries deleted within the last days, each of which can be restored. */
export default function BinScreen() {
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
        question: [`恢复「${title}」？`, `Restore “${title}”?`],
        act: ['恢复', 'Restore'],
        done: ['已恢复', 'Restored'],
        answered: ({ lost }) => {
          if (lost > 0)
            toast('warning', [`有 ${lost} 项关联已不存在，未恢复`, `${lost} ${plural(lost, 'link')} not restored: what was linked is gone`])
        },
      },
    )
  const purge = ({ rowKey, title }: Of<typeof Deleted>) =>
    act(
      document.purge,
      { binnedIds: [rowKey as never] },
      {
        question: [`彻底删除「${title}」？无法再恢复。`, `Permanently delete “${title}”? It cannot be restored.`],
        act: ['彻底删除', 'Delete permanently'],
        done: ['已彻底删除', 'Permanently deleted'],
      },
    )
  return (
    <ListScreen
      purpose={[`删除的数据在此保留 ${BIN_DAYS} 天，可以恢复`, `Deleted data is kept here for ${BIN_DAYS} days and can be restored`]}
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
      empty={['删除的数据会先放在这里，到期前都可以恢复。', 'Deleted data is kept here first and can be restored until it expires.']}
      actions={(row) => [
        { text: ['恢复', 'Restore'], run: () => void restore(row) },
        ...(FILES.includes(row.kind) && can(document.purge.needs)
          ? [{ text: ['彻底删除', 'Delete permanently'] as const, run: () => void purge(row), danger: true }]
          : []),
      ]}
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
  return <Select mode="multiple" allowClear className="search-many" placeholder={say(['全部类型', 'All types'])} options={options} {...props} />
}
