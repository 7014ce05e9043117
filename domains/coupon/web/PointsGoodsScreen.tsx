import { Segmented } from 'antd'
import { type ReactNode, useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { Label, useAct } from '../../../platform/web/form/remove.tsx'
import { useText } from '../../../platform/web/text.ts'
import { GoodsStatus } from '../contract/goods.ts'
import { PointsGoods, pointsGoods, pointsGoodsSearch } from '../contract/pointsGoods.ts'
import { POINTS_CHANGES } from './changes.ts'
import { Exchanges } from './Exchanges.tsx'

type Row = Of<typeof PointsGoods>
type Doing = { what: 'new'; of?: undefined } | { what: 'edit' | 'add'; of: Row }
type Shown = 'goods' | 'orders'

/** Articles that points buy, and exchanges of them. */
export default function PointsGoodsScreen() {
  const say = useText()
  const [shown, show] = useState<Shown>('goods')
  const pages = (
    <Segmented<Shown>
      value={shown}
      onChange={show}
      options={[
        { value: 'goods', label: say(['商品', 'Articles']) },
        { value: 'orders', label: say(['兑换', 'Exchanges']) },
      ]}
    />
  )
  return shown === 'goods' ? <Articles toolbar={pages} /> : <Exchanges toolbar={pages} />
}

function Articles({ toolbar }: { toolbar: ReactNode }) {
  const act = useAct(POINTS_CHANGES)
  const [doing, setDoing] = useState<Doing>()
  const turn = (row: Row) => {
    const on = row.status === GoodsStatus.off
    void act(
      pointsGoods.update,
      { id: row.id, version: row.version, status: on ? GoodsStatus.on : GoodsStatus.off },
      { done: on ? ['已上架', 'On sale'] : ['已下架', 'Taken off sale'] },
    )
  }
  return (
    <>
      <ListScreen
        purpose={['积分可兑换的商品：所需积分、库存、每人限兑', 'Articles for points: points needed, stock and limit per person']}
        query={pointsGoods.pageQuery}
        search={pointsGoodsSearch}
        toolbar={toolbar}
        find={['name', 'status']}
        add={{ call: pointsGoods.add, open: () => setDoing({ what: 'new' }) }}
        columns={['image', 'name', 'pointsPrice', 'cashFen', 'stock', 'perUserLimit', 'status', 'remark', 'createdAt']}
        roomy={['image', 'remark', 'createdAt']}
        actions={(row) => [
          { text: ['补货', 'Restock'], needs: pointsGoods.numberAddition.needs, run: () => setDoing({ what: 'add', of: row }) },
          { text: Label.edit, needs: pointsGoods.update.needs, run: () => setDoing({ what: 'edit', of: row }) },
          {
            text: row.status === GoodsStatus.on ? ['下架', 'Take off sale'] : ['上架', 'Put on sale'],
            needs: pointsGoods.update.needs,
            run: () => turn(row),
          },
        ]}
        empty={['还没有积分商品', 'No points articles yet']}
      />
      {doing && <Dialog doing={doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

const REST = [
  'name',
  'pointsPrice',
  { name: 'cashFen', optional: true, help: ['积分之外每件另付，不填为 0', 'Paid for each beside the points; leave empty for nothing'] },
  { name: 'perUserLimit', optional: true, help: ['不填不限', 'Leave empty for no limit'] },
  { name: 'image', optional: true },
  { name: 'remark', optional: true },
] as const
function Dialog({ doing: { what, of }, onClose }: { doing: Doing; onClose: () => void }) {
  const shared = { changes: POINTS_CHANGES, onClose }
  if (what === 'add')
    return (
      <FormDialog
        {...shared}
        title={[`补货 · ${of.name}`, `Restock · ${of.name}`]}
        entity={pointsGoods.numberAddition.input}
        mode="new"
        value={{ id: of.id }}
        save={pointsGoods.numberAddition}
        act={({ num }) => [`补货 ${num ?? 0} 件`, `Restock ${num ?? 0}`]}
        done={['已补货', 'Restocked']}
        fields={['num']}
      />
    )
  if (what === 'edit')
    return <FormDialog {...shared} entity={PointsGoods} mode="edit" value={of} save={pointsGoods.update} done={['已保存', 'Saved']} fields={REST} />
  return (
    <FormDialog
      {...shared}
      entity={PointsGoods}
      mode="new"
      value={{ stock: 0, cashFen: 0 as Row['cashFen'] }}
      save={pointsGoods.add}
      done={['已新增', 'Added']}
      fields={[...REST, { name: 'stock', optional: true }]}
    />
  )
}
