import { Modal } from 'antd'
import { useState } from 'react'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { Plates } from '../../../platform/web/value.tsx'
import { card, cardSearch } from '../contract/card.ts'
import { CardDialog, type CardRow, type DoingCard, platesOf, useCardActs } from './Cards.tsx'
import { CardStory } from './CardStory.tsx'

/** The counter where cards are topped up. */
export default function CardRechargeScreen() {
  const [doing, setDoing] = useState<DoingCard>()
  const [looking, setLooking] = useState<CardRow>()
  const acts = useCardActs(setDoing)
  return (
    <>
      <ListScreen
        purpose={['给储值卡充值，查看充值记录', 'Recharge park cards and see their recharges']}
        query={card.page}
        search={cardSearch}
        find={['cardNo', 'phone', 'plates', 'holder', 'status']}
        sum={{ totals: ['balanceFen'] }}
        columns={[
          'cardNo',
          'holder',
          'phone',
          { dataIndex: 'plates', render: (_, row) => <Plates numbers={platesOf(row)} most={2} /> },
          'balanceFen',
          'principalFen',
          'bonusFen',
          'status',
          'updatedAt',
        ]}
        roomy={['updatedAt']}
        actions={(row) => [
          acts(row).recharge,
          { text: ['充值记录', 'Recharges'], needs: card.detail.needs, run: () => setLooking(row) },
          acts(row).refund,
        ]}
        empty={['还没有储值卡', 'No park cards yet']}
      />
      {doing && <CardDialog doing={doing} onClose={() => setDoing(undefined)} />}
      {looking && (
        <Modal open width={640} footer={null} title={`${looking.holder} ${looking.cardNo}`} onCancel={() => setLooking(undefined)}>
          <CardStory id={looking.id} />
        </Modal>
      )}
    </>
  )
}
