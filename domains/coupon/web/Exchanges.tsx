import { plural } from '../../../platform/contract/plural.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { yuan } from '../../../platform/web/format.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { Select } from '../../../platform/web/form/Select.tsx'
import { useText } from '../../../platform/web/text.ts'
import { GoodsStatus } from '../contract/goods.ts'
import { pointsGoods, pointsOrder, type PointsOrder, pointsOrderCan, pointsOrderSearch, PointsOrderState } from '../contract/pointsGoods.ts'
import { POINTS_CHANGES } from './changes.ts'

type Row = Of<typeof PointsOrder>
const SHOWN = 100
/** Reads the articles that points buy now. */
export const useGoodsOnSale = () =>
  useQuery(asks(pointsGoods.pageQuery, { status: [GoodsStatus.on], limit: SHOWN }, { quiet: true })).data?.records ?? []
/** Of these one, with what it costs and how many there are. */
export function GoodsSelect(props: { id?: string; value?: string; onChange?: (id: string) => void }) {
  const say = useText()
  const options = useGoodsOnSale().map(({ id, name, pointsPrice, cashFen, stock }) => ({
    value: id as string,
    disabled: stock === 0,
    label: say([
      `${name} · ${pointsPrice} 积分${cashFen ? `加 ¥${yuan(cashFen)}` : ''} · 库存 ${stock}`,
      `${name} · ${pointsPrice} ${plural(pointsPrice, 'point')}${cashFen ? ` and ¥${yuan(cashFen)}` : ''} · ${stock} in stock`,
    ]),
  }))
  return <Select {...props} placeholder={say(['请选择', 'Choose'])} options={options} />
}

/** The cash paid beside the points, which goes back with them. */
const cash = ({ cashFen, state }: Row, and = '、'): string => (cashFen > 0 && state !== PointsOrderState.toPay ? `${and}¥${yuan(cashFen)}` : '')

/** Exchanges of points: delivered, or taken back with the points. */
export function Exchanges({ toolbar, goodId }: { toolbar: ReactNode; goodId?: Row['goodId'] }) {
  const act = useAct(POINTS_CHANGES)
  const [back, setBack] = useState<Row>()
  return (
    <>
      <ListScreen
        purpose={[
          '积分兑换：扣积分与出库同时完成，取消时积分回到原批次，加价原路退回',
          'Points exchanges: points and stock are deducted together; cancelling returns the points to their batch and the cash to its payer',
        ]}
        query={pointsOrder.pageQuery}
        search={pointsOrderSearch}
        {...(goodId && { only: { goodId } })}
        toolbar={toolbar}
        find={['phone', 'state', 'at', 'orderNo']}
        sum={{ totals: ['points', 'cashFen'], figures: [{ text: ['待发放', 'to deliver'], leads: { state: [PointsOrderState.toDeliver] } }] }}
        columns={['orderNo', 'phone', 'goodName', 'qty', 'points', 'cashFen', 'state', 'at', 'operatorName', 'endedAt', 'reason']}
        hidden={['endedAt', 'reason']}
        roomy={['orderNo', 'operatorName']}
        actions={(row) => [
          {
            text: ['发放', 'Deliver'],
            needs: pointsOrder.deliver.needs,
            run: () =>
              void act(
                pointsOrder.deliver,
                { id: row.id, version: row.version },
                {
                  question: [`确认已把 ${row.goodName} ×${row.qty} 交给车主？`, `Confirm that ${row.goodName} ×${row.qty} was handed to the owner?`],
                  act: ['确认发放', 'Confirm delivery'],
                  done: ['已发放', 'Delivered'],
                },
              ),
            not: pointsOrderCan.deliver(row.state) === undefined && ['不在待发放状态', 'Not waiting for delivery'],
          },
          {
            text: ['取消', 'Cancel'],
            needs: pointsOrder.cancel.needs,
            run: () => setBack(row),
            not: pointsOrderCan.cancel(row.state) === undefined && ['已取消', 'Already cancelled'],
            danger: true,
          },
        ]}
        empty={['还没有兑换', 'No exchanges yet']}
      />
      {back && (
        <FormDialog
          title={[`取消兑换 · ${back.goodName} ×${back.qty}`, `Cancel · ${back.goodName} ×${back.qty}`]}
          entity={pointsOrder.cancel.input}
          mode="new"
          value={{ id: back.id, version: back.version }}
          save={pointsOrder.cancel}
          act={[
            `取消并退回 ${back.points} 积分${cash(back)}`,
            `Cancel and return ${back.points} ${plural(back.points, 'point')}${cash(back, ' and ')}`,
          ]}
          done={['已取消，积分已退回', 'Cancelled; points returned']}
          changes={POINTS_CHANGES}
          fields={['reason']}
          onClose={() => setBack(undefined)}
        />
      )}
    </>
  )
}
