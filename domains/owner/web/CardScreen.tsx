import { Modal } from 'antd'
import { useState } from 'react'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { useText } from '../../../platform/web/text.ts'
import { ParkNames } from '../../parking/web/api/names.tsx'
import { Plates } from '../../../platform/web/value.tsx'
import { card, cardSearch, CardStatus } from '../contract/card.ts'
import { CardDialog, type CardRow, type DoingCard, platesOf, useCardActs } from './Cards.tsx'
import { CardStory } from './CardStory.tsx'

/** All park cards, from their issue to their end. */
export default function CardScreen() {
  const say = useText()
  const [doing, setDoing] = useState<DoingCard>()
  const [looking, setLooking] = useState<CardRow>()
  const acts = useCardActs(setDoing)
  return (
    <>
      <ListScreen
        purpose={['储值卡：指定车牌和车场，先于车主账户扣款', 'Park cards: for set plates and parks, spent before the owner’s account']}
        query={card.page}
        search={cardSearch}
        exports={card.excel}
        find={['cardNo', 'phone', 'status', 'holder', 'plates', 'createdAt']}
        sum={{
          totals: ['balanceFen', 'principalFen', 'bonusFen'],
          figures: [
            { text: ['正常', 'normal'], leads: { status: [CardStatus.normal] } },
            { text: ['冻结', 'frozen'], leads: { status: [CardStatus.frozen] } },
            { text: ['挂失', 'lost'], leads: { status: [CardStatus.lost] } },
          ],
        }}
        columns={[
          'cardNo',
          'status',
          'holder',
          'phone',
          { dataIndex: 'plates', render: (_, row) => <Plates numbers={platesOf(row)} most={2} /> },
          {
            dataIndex: 'parkCodes',
            render: (_, row) => (row.parkCodes.length ? <ParkNames codes={row.parkCodes} /> : say(['全部车场', 'All car parks'])),
          },
          'balanceFen',
          'principalFen',
          'bonusFen',
          'frozenFen',
          'createdAt',
          'formerNo',
          'remark',
        ]}
        hidden={['formerNo', 'remark', 'frozenFen']}
        roomy={['principalFen', 'bonusFen']}
        add={{ call: card.add, open: () => setDoing({ what: 'new' }), text: ['办卡', 'Issue a card'] }}
        actions={(row) => {
          const { edit, freeze, lose, replace, refund, cancel } = acts(row)
          return [
            { text: ['明细', 'Transactions'], needs: card.detail.needs, run: () => setLooking(row) },
            edit,
            freeze,
            lose,
            replace,
            refund,
            cancel,
          ]
        }}
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
