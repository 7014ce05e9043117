import { useState } from 'react'
import { FilterTree, type TreeNode } from '../../../../platform/web/tree/FilterTree.tsx'
import { type Text, useText } from '../../../../platform/web/text.ts'

interface Place {
  key: string
  name: Text
  count?: number
  below?: Place[]
}
const PLACES: Place[] = [
  {
    key: '42',
    name: ['湖北省', 'Hubei'],
    below: [
      {
        key: '4206',
        name: ['襄阳市', 'Xiangyang'],
        below: [
          { key: '420602', name: ['襄城区', 'Xiangcheng'], count: 18 },
          { key: '420606', name: ['樊城区', 'Fancheng'], count: 31 },
          { key: '420607', name: ['襄州区', 'Xiangzhou'], count: 12 },
        ],
      },
      { key: '4201', name: ['武汉市', 'Wuhan'], below: [{ key: '420106', name: ['武昌区', 'Wuchang'], count: 1204 }] },
      { key: '429004', name: ['仙桃市', 'Xiantao'], count: 7 },
    ],
  },
]
const FLOORS_MS = 300

export default function TreesBlock() {
  const say = useText()
  const [chosen, setChosen] = useState<string>()
  const [checked, setChecked] = useState<readonly string[]>(['420607'])
  const [floors, setFloors] = useState<readonly TreeNode[]>([
    { key: 'A', words: 'A' },
    { key: 'B', words: 'B' },
  ])
  const nodesOf = (places: readonly Place[]): TreeNode[] =>
    places.map(({ key, name, count, below }) => ({
      key,
      words: say(name),
      ...(count !== undefined && { count }),
      ...(below && { children: nodesOf(below) }),
    }))
  const nodes = nodesOf(PLACES)
  // Stands for a server that is asked when a branch is opened.
  const load = async (key: string) => {
    await new Promise((arrive) => setTimeout(arrive, FLOORS_MS))
    const below = [1, 2, 3].map((n) => ({ key: `${key}-${n}`, words: `${key}-${n}`, leaf: true }))
    setFloors((all) => all.map((one) => (one.key === key ? { ...one, children: below } : one)))
  }
  return (
    <div className="show-two">
      <div className="panel">
        <h2>{say(['筛选、计数、单选', 'Filter, counts, one choice'])}</h2>
        <FilterTree
          nodes={nodes}
          open={['42', '4206']}
          label={say(['区划', 'Regions'])}
          filter={say(['名称', 'Name'])}
          chosen={chosen}
          onChoose={setChosen}
        />
        <p className="faint" data-chosen>
          {chosen ?? '--'}
        </p>
      </div>
      <div className="panel">
        <h2>{say(['勾选', 'Ticks'])}</h2>
        <FilterTree
          nodes={nodes}
          open={['42', '4206']}
          label={say(['可勾选的区划', 'Regions to tick'])}
          filter={say(['名称', 'Name'])}
          checked={checked}
          onCheck={setChecked}
        />
        <p className="faint" data-checked>
          {checked.join(', ')}
        </p>
      </div>
      <div className="panel">
        <h2>{say(['打开时才取', 'Loaded when opened'])}</h2>
        <FilterTree nodes={floors} open={[]} label={say(['楼层', 'Floors'])} load={load} />
      </div>
    </div>
  )
}
