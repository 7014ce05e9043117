import { Segmented } from 'antd'
import { type ReactNode, useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { Label, useAct } from '../../../platform/web/form/remove.tsx'
import { useText } from '../../../platform/web/text.ts'
import { MerchantNames, MerchantsSelect } from '../../merchant/web/api/names.tsx'
import { Audience, Goods, goods, goodsRecord, goodsRecordSearch, goodsSearch, GoodsStatus } from '../contract/goods.ts'
import { GOODS_CHANGES } from './changes.ts'
import { findTemplate, TemplateSelect } from './names.tsx'

type Row = Of<typeof Goods>
type Doing = { what: 'new'; of?: undefined } | { what: 'edit' | 'replenish'; of: Row }
type Shown = 'goods' | 'stock'

/** Goods on sale: templates with a price and a stock, and how the stock moved. */
export default function GoodsScreen() {
  const say = useText()
  const [shown, show] = useState<Shown>('goods')
  const [of, setOf] = useState<Row>()
  const pick = (next: Shown, behind?: Row) => {
    setOf(behind)
    show(next)
  }
  const pages = (
    <Segmented<Shown>
      value={shown}
      onChange={(next) => pick(next)}
      options={[
        { value: 'goods', label: say(['券商品', 'Articles']) },
        { value: 'stock', label: say(['库存记录', 'Stock records']) },
      ]}
    />
  )
  return shown === 'goods' ? <Articles toolbar={pages} onStock={(row) => pick('stock', row)} /> : <Stock toolbar={pages} of={of} />
}

function Articles({ toolbar, onStock }: { toolbar: ReactNode; onStock: (row: Row) => void }) {
  const act = useAct(GOODS_CHANGES)
  const [doing, setDoing] = useState<Doing>()
  const turn = (row: Row) => {
    const on = row.status === GoodsStatus.off
    void act(
      goods.update,
      { id: row.id, version: row.version, status: on ? GoodsStatus.on : GoodsStatus.off },
      { done: on ? ['已上架', 'On sale'] : ['已下架', 'Taken off sale'] },
    )
  }
  return (
    <>
      <ListScreen
        purpose={[
          '线上售卖的券：单价、库存、可购商户；补货不能超过模板发行总量',
          'Coupons on sale: price, stock and merchants that can buy; restocking cannot exceed the template’s total',
        ]}
        query={goods.queryPage}
        search={goodsSearch}
        find={['name', findTemplate, 'status', 'audience']}
        toolbar={toolbar}
        add={{ call: goods.insert, open: () => setDoing({ what: 'new' }) }}
        columns={[
          'name',
          'priceFen',
          'stock',
          { dataIndex: 'mchIds', render: (_, row) => (row.audience === Audience.owners ? '' : <MerchantNames ids={row.mchIds} />) },
          'audience',
          'perBuyMax',
          'status',
          'createdAt',
        ]}
        roomy={['perBuyMax', 'createdAt']}
        actions={(row) => [
          { text: ['补货', 'Restock'], needs: goodsRecord.replenish.needs, run: () => setDoing({ what: 'replenish', of: row }) },
          { text: Label.edit, needs: goods.update.needs, run: () => setDoing({ what: 'edit', of: row }) },
          { text: ['库存记录', 'Stock records'], needs: goodsRecord.queryPage.needs, run: () => onStock(row) },
          {
            text: row.status === GoodsStatus.on ? ['下架', 'Take off sale'] : ['上架', 'Put on sale'],
            needs: goods.update.needs,
            run: () => turn(row),
          },
        ]}
        empty={['还没有券商品；先在「优惠券配置」里启用模板', 'No articles yet: enable a template in “Coupon templates” first']}
      />
      {doing && <Dialog doing={doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

function Dialog({ doing: { what, of }, onClose }: { doing: Doing; onClose: () => void }) {
  if (what === 'new') return <NewArticle onClose={onClose} />
  if (what === 'replenish') return <Restock of={of} onClose={onClose} />
  return (
    <FormDialog
      entity={Goods}
      mode="edit"
      value={of}
      save={goods.update}
      done={['已保存', 'Saved']}
      changes={GOODS_CHANGES}
      fields={['name', 'priceFen', ...REST]}
      onClose={onClose}
    />
  )
}

function Restock({ of, onClose }: { of: Row; onClose: () => void }) {
  const say = useText()
  return (
    <FormDialog
      title={[`补货 · ${of.name}`, `Restock · ${of.name}`]}
      entity={goodsRecord.replenish.input}
      mode="new"
      value={{ goodId: of.id }}
      save={goodsRecord.replenish}
      act={({ qty }) => [`补货 ${qty ?? 0} 张`, `Restock ${qty ?? 0}`]}
      done={['已补货', 'Restocked']}
      changes={GOODS_CHANGES}
      fields={['qty']}
      about={<p className="faint">{say([`现有库存 ${of.stock}`, `${of.stock} in stock`])}</p>}
      onClose={onClose}
    />
  )
}

function NewArticle({ onClose }: { onClose: () => void }) {
  return (
    <FormDialog
      title={['新增券商品', 'New article']}
      entity={goods.insert.input}
      mode="new"
      value={{ audience: Audience.merchants, status: GoodsStatus.on, mchIds: [] }}
      save={goods.insert}
      done={['已新增', 'Added']}
      changes={GOODS_CHANGES}
      fields={[
        { name: 'templateId', control: <TemplateSelect empty={['请选择', 'Choose']} /> },
        'name',
        'priceFen',
        { name: 'qty', optional: true, help: ['初始库存', 'Opening stock'] },
        ...REST,
      ]}
      onClose={onClose}
    />
  )
}
const REST = [
  { name: 'audience', optional: true },
  { name: 'mchIds', control: <MerchantsSelect />, optional: true },
  { name: 'perBuyMax', optional: true, help: ['不填不限', 'Leave empty for no limit'] },
  { name: 'status', optional: true },
] as const

function Stock({ toolbar, of }: { toolbar: ReactNode; of: Row | undefined }) {
  return (
    <ListScreen
      key={of?.id ?? ''}
      purpose={
        of ? [`「${of.name}」的库存变动`, `Stock movements of “${of.name}”`] : ['券商品的入库、售出与退回', 'Stock added, sold and given back']
      }
      query={goodsRecord.queryPage}
      search={goodsRecordSearch}
      {...(of && { only: { goodId: of.id } })}
      toolbar={toolbar}
      find={['kind', 'at']}
      columns={['at', 'goodName', 'kind', 'qty', 'stockAfter', 'bizNo', 'operatorName']}
      roomy={['bizNo']}
      empty={['还没有库存变动', 'No stock movements yet']}
    />
  )
}
