import { PlusOutlined } from '@ant-design/icons'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useMemo, useState } from 'react'
import type { RegionNode } from '../../../platform/contract/region.ts'
import type { Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { Beside, TreePane } from '../../../platform/web/tree/Beside.tsx'
import type { TreeNode } from '../../../platform/web/tree/FilterTree.tsx'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ImportButton } from '../../../platform/web/sheet/ImportDialog.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { useFrames } from '../../../platform/web/live.ts'
import { can } from '../../../platform/web/person.ts'
import { deleting, Label, useRemove } from '../../../platform/web/form/remove.tsx'
import { type Say, useText } from '../../../platform/web/text.ts'
import { DIGITS, region, Region, RegionRank, regionSearch } from '../contract/region.ts'
import { regionSheet } from '../contract/regionSheet.ts'
import { REGION_TOPIC } from '../contract/topics.ts'
import './system.css'

type Row = Of<typeof Region>
type Asked = { what: 'new' } | { what: 'edit'; of: Row }
const CHANGES = [region.tree, region.selectByIdAndName]

/** The administrative regions: the tree at the left, the regions directly in the chosen one at the right. */
export default function RegionScreen() {
  const say = useText()
  const cache = useQueryClient()
  const [chosen, setChosen] = useState<string>()
  const [asked, setAsked] = useState<Asked>()
  const { data: tree } = useQuery(asks(region.tree, {}))
  useFrames(REGION_TOPIC, () => void cache.invalidateQueries({ queryKey: [region.tree.id] }))
  const remove = useRemove(CHANGES)
  const names = useMemo(() => new Map(flat(tree ?? []).map((node) => [node.code, node])), [tree])
  const at = chosen === undefined ? undefined : names.get(chosen)
  const nameOf = (code: string | null) => (code && names.has(code) ? say(nameIn(names.get(code)!)) : null)
  return (
    <Beside tree={tree && <Tree tree={tree} chosen={chosen} onChoose={setChosen} />}>
      <ListScreen
        key={chosen ?? ''}
        purpose={['按国家标准代码的行政区划；车场按它归属', 'Administrative regions by national standard code; car parks belong to them']}
        query={region.selectByIdAndName}
        search={regionSearch}
        {...(at && { only: { parentCode: at.code } })}
        find={['name', 'code', 'rank']}
        rowKey="code"
        columns={[
          'code',
          'name',
          'nameEn',
          'rank',
          { dataIndex: 'parentCode', render: (_, { parentCode }) => nameOf(parentCode) ?? <span className="faint">--</span> },
          {
            key: 'below',
            title: say(['下级', 'Subregions']),
            align: 'right',
            render: (_, { code }) => <Below of={names.get(code)} onGo={() => setChosen(code)} />,
          },
          'updatedAt',
        ]}
        roomy={['updatedAt']}
        live={REGION_TOPIC}
        toolbar={
          <>
            {can(region.add.needs) && (
              <Button type="primary" icon={<PlusOutlined />} disabled={at?.rank === RegionRank.village} onClick={() => setAsked({ what: 'new' })}>
                {at ? say([`在${at.name}下新增`, `Add under ${nameIn(at)[1]}`]) : say(['新增省级', 'Add province'])}
              </Button>
            )}
            <ImportButton call={regionSheet.import} template={regionSheet.exportTemplate} changes={CHANGES} />
          </>
        }
        exports={regionSheet.export}
        actions={(row) => [
          { text: Label.edit, needs: region.update.needs, run: () => setAsked({ what: 'edit', of: row }) },
          {
            ...deleting(remove, region.delete, { code: row.code, version: row.version }, `${row.code} ${row.name}`, {
              kind: 'system.region',
              key: row.code,
            }),
            not: (names.get(row.code)?.children.length ?? 0) > 0 && ['下面还有区划，请先删除下级', 'There are regions below it: delete those first'],
          },
        ]}
      />
      {asked && <RegionForm asked={asked} at={at} onClose={() => setAsked(undefined)} />}
    </Beside>
  )
}

const nameIn = ({ name, nameEn }: RegionNode): [string, string] => [name, nameEn || name]
const flat = (nodes: readonly RegionNode[]): RegionNode[] => nodes.flatMap((node) => [node, ...flat(node.children)])

function Tree({ tree, chosen, onChoose }: { tree: RegionNode[]; chosen: string | undefined; onChoose: (code: string | undefined) => void }) {
  const say = useText()
  const items = useMemo(() => tree.map((node) => itemOf(node, say)), [tree, say])
  return (
    <TreePane
      items={items}
      chosen={chosen}
      onChoose={onChoose}
      open={tree.map(({ code }) => code)}
      hint={say(['名称、拼音或代码', 'Name or code'])}
    />
  )
}
const itemOf = (node: RegionNode, say: Say): TreeNode => ({
  key: node.code,
  words: `${node.code} ${node.name} ${node.nameEn}`,
  title: <span title={node.code}>{say(nameIn(node))}</span>,
  children: node.children.map((child) => itemOf(child, say)),
})

function Below({ of, onGo }: { of: RegionNode | undefined; onGo: () => void }) {
  if (!of?.children.length) return <span className="faint">0</span>
  return (
    <Button type="link" size="small" onClick={onGo}>
      {of.children.length}
    </Button>
  )
}

function RegionForm({ asked, at, onClose }: { asked: Asked; at: RegionNode | undefined; onClose: () => void }) {
  const common = { entity: Region, changes: CHANGES, onClose, done: ['已保存', 'Saved'] } as const
  if (asked.what === 'edit') return <FormDialog {...common} mode="edit" value={asked.of} save={region.update} fields={['name', 'nameEn']} />
  const rank = ((at?.rank ?? 0) + 1) as keyof typeof DIGITS
  const begins = at ? at.code.slice(0, DIGITS[at.rank as keyof typeof DIGITS]) : ''
  const zeros = '0'.repeat(Math.max(0, 6 - DIGITS[rank]))
  return (
    <FormDialog
      {...common}
      mode="new"
      title={at ? [`在${at.name}下新增`, `Add under ${nameIn(at)[1]}`] : ['新增省级区划', 'Add province']}
      value={{ code: begins, rank, ...(at && { parentCode: at.code }) }}
      save={region.add}
      fields={[
        {
          name: 'code',
          help: [
            `${begins ? `以 ${begins} 开头，` : ''}共 ${Math.max(6, DIGITS[rank])} 位${zeros ? `，末尾 ${zeros}` : ''}；不可再改`,
            `Digits: ${Math.max(6, DIGITS[rank])}${begins ? `, starting with ${begins}` : ''}${zeros ? `, ending in ${zeros}` : ''}; cannot be changed later`,
          ],
        },
        'name',
        { name: 'nameEn', optional: true },
      ]}
    />
  )
}
