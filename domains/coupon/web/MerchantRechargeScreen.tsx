import { useQuery } from '@tanstack/react-query'
import { Button, Empty, InputNumber, Table } from 'antd'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Id, Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { numberFault } from '../../../platform/web/form/bounds.ts'
import { yuan } from '../../../platform/web/format.ts'
import { PageHead } from '../../../platform/web/page/page.tsx'
import { can } from '../../../platform/web/person.ts'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Tile, Tiles } from '../../../platform/web/draw/Tiles.tsx'
import { Loaded } from '../../../platform/web/page/states.tsx'
import { Money } from '../../../platform/web/value.tsx'
import { account } from '../../merchant/contract/account.ts'
import { SettleMode } from '../../merchant/contract/merchant.ts'
import { MerchantSelect, useMerchants } from '../../merchant/web/api/names.tsx'
import { RechargeDialog } from '../../merchant/web/api/RechargeDialog.tsx'
import { MERCHANT_MONEY } from '../contract/figures.ts'
import { goods, type Offer } from '../contract/goods.ts'
import { Sold, sold } from '../contract/sold.ts'
import { SALE_CHANGES } from './changes.ts'
import { Face } from './names.tsx'
import './coupon.css'

type Row = Of<typeof Offer>

/** The counter for merchants: take their money, sell them coupons. */
export default function MerchantRechargeScreen() {
  const say = useText()
  const [params, setParams] = useSearchParams()
  const mchId = params.get('mchId') ?? undefined
  const of = useMerchants().find(({ id }) => (id as string) === mchId)
  const [charging, charge] = useState(false)
  return (
    <div className="list">
      <PageHead
        purpose={['为商户收款充值并代购优惠券：先用余额，再用授信', 'Recharge merchants and sell them coupons: from balance first, then credit']}
      />
      <div className="coupon-counter">
        <MerchantSelect
          {...(mchId && { value: mchId })}
          empty={['选择商户', 'Choose a merchant']}
          onChange={(id) => setParams(id ? { mchId: id } : {})}
        />
        {of && can(account.recharge.needs) && (
          <Button type="primary" onClick={() => charge(true)}>
            {say(['充值', 'Recharge'])}
          </Button>
        )}
      </div>
      {!of && <Empty description={say(['选择商户后充值或购券', 'Choose a merchant, then recharge or sell coupons'])} />}
      {of && (
        <>
          <Tiles label={['商户账户', 'Merchant account']}>
            <Tile
              figure={MERCHANT_MONEY.balanceFen}
              value={<Money fen={of.balanceFen} />}
              to={`${MERCHANT_MONEY.balanceFen.opens.path}?mchId=${of.id}`}
            >
              {say(['结算方式', 'Settlement'])} {say(SettleMode.entries[of.settleMode])}
            </Tile>
            <Tile figure={MERCHANT_MONEY.leftFen} value={<Money fen={of.quotaFen - of.usedFen} />} />
            <Tile figure={MERCHANT_MONEY.usedFen} value={<Money fen={of.usedFen} />} tone={of.usedFen > 0 && 'warning'} />
          </Tiles>
          {can(goods.selectByMerchant.needs) && <Offers key={of.id} mchId={of.id} name={of.name} free={of.settleMode === SettleMode.actual} />}
        </>
      )}
      {charging && of && <RechargeDialog mchId={of.id} name={of.name} onClose={() => charge(false)} />}
    </div>
  )
}

/** Goods that the merchant may buy, and what it has left of them. A merchant that settles as deducted pays nothing now. */
function Offers({ mchId, name, free }: { mchId: Id<'MerchantId'>; name: string; free: boolean }) {
  const say = useText()
  const offers = useQuery(asks(goods.selectByMerchant, { mchId }, { quiet: true }))
  return (
    <Loaded of={offers} lines={3}>
      {(rows) => (
        <Table<Row>
          rowKey="id"
          size="small"
          pagination={false}
          scroll={{ x: 'max-content' }}
          dataSource={rows}
          locale={{ emptyText: <Empty description={say(['没有可购的券商品', 'No articles on sale to this merchant'])} /> }}
          columns={[
            { title: say(['券商品', 'Article']), dataIndex: 'name' },
            { title: say(['优惠', 'Discount']), render: (_, row) => <Face of={row} /> },
            { title: say(['单价', 'Price']), align: 'right', render: (_, row) => <Money fen={free ? 0 : row.priceFen} /> },
            { title: say(['库存', 'Stock']), dataIndex: 'stock', align: 'right' },
            { title: say(['商户未发放', 'Left to issue']), dataIndex: 'leftQty', align: 'right' },
            { title: say(['购买', 'Buy']), render: (_, row) => <Buy of={row} mchId={mchId} name={name} free={free} /> },
          ]}
        />
      )}
    </Loaded>
  )
}

const FIRST_QTY = 10
function Buy({ of, mchId, name, free }: { of: Row; mchId: Id<'MerchantId'>; name: string; free: boolean }) {
  const say = useText()
  const act = useAct(SALE_CHANGES)
  const most = Math.min(of.stock, of.perBuyMax ?? of.stock)
  const [qty, setQty] = useState<number | null>(Math.min(FIRST_QTY, most))
  if (!can(sold.buy.needs)) return null
  const fault = numberFault({ ...Sold.properties.qty, maximum: most }, qty)
  const payableFen = (free || fault ? 0 : of.priceFen * qty!) as typeof of.priceFen
  const buy = () =>
    void act(
      sold.buy,
      { mchId, goodId: of.id, qty: qty!, payableFen },
      {
        question: [
          `为 ${name} 购买 ${of.name} ${qty} 张，应付 ¥${yuan(payableFen)}？`,
          `Buy ${qty} of ${of.name} for ${name}, ¥${yuan(payableFen)} in all?`,
        ],
        act: [`确认购券 ¥${yuan(payableFen)}`, `Buy for ¥${yuan(payableFen)}`],
        done: ['已购券', 'Bought'],
      },
    )
  return (
    <span className="row-actions">
      <InputNumber
        aria-label={say(['数量', 'Quantity'])}
        precision={0}
        value={qty}
        disabled={most === 0}
        {...(fault && most > 0 && { status: 'error' as const })}
        onChange={setQty}
      />
      {fault && most > 0 ? (
        <span className="bad" role="alert">
          {say(fault)}
        </span>
      ) : (
        <Button size="small" disabled={most === 0} onClick={buy}>
          {say(['购券', 'Buy'])} <Money fen={payableFen} />
        </Button>
      )}
    </span>
  )
}
