import { useQuery } from '@tanstack/react-query'
import { Button, Empty, Input, Table } from 'antd'
import { useState } from 'react'
import { asks } from '../../../platform/web/ask.ts'
import { PageHead } from '../../../platform/web/page/page.tsx'
import { can } from '../../../platform/web/person.ts'
import { ActionsHead, RowActions } from '../../../platform/web/list/RowActions.tsx'
import { useTelephone } from '../../../platform/web/page/small.ts'
import { Loaded } from '../../../platform/web/page/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Money, Plates, State } from '../../../platform/web/value.tsx'
import { isPlate, normalizePlate } from '../../../platform/contract/plate.ts'
import { card, CardStatus } from '../contract/card.ts'
import { CardDialog, type CardRow, type DoingCard, platesOf, useCardActs } from './Cards.tsx'
import './owner.css'

/** Whatever somebody has with them: a plate, a card number (it begins with 88), a telephone number. */
const byWhat = (typed: string) =>
  isPlate(normalizePlate(typed)) ? { plateNo: typed } : /^88\d{8,}$/.test(typed) ? { cardNo: typed } : { phone: typed }

/** The counter: find a card by its holder's details, and bind it to plates, parks and an owner. */
export default function CardBindScreen() {
  const say = useText()
  const narrow = useTelephone()
  const [typed, setTyped] = useState('')
  const [doing, setDoing] = useState<DoingCard>()
  const acts = useCardActs(setDoing)
  const found = useQuery({ ...asks(card.query, byWhat(typed) as never, { quiet: true }), enabled: typed !== '' })
  return (
    <div className="list">
      <PageHead
        purpose={[
          '按卡号、车牌或手机号找到储值卡，绑定车牌、车场和车主',
          'Find a card by card number, plate or phone, then bind plates, car parks and an owner',
        ]}
      />
      <div className="owner-counter">
        <Input.Search
          allowClear
          enterButton={say(['查找', 'Find'])}
          placeholder={say(['卡号、车牌或手机号', 'Card number, plate or phone'])}
          loading={found.isFetching}
          onSearch={(value) => setTyped(value.trim())}
          style={{ maxWidth: 420 }}
        />
        {can(card.add.needs) && <Button onClick={() => setDoing({ what: 'new' })}>{say(['办卡', 'Issue a card'])}</Button>}
      </div>
      {typed === '' ? (
        <Empty description={say(['输入卡号、车牌或手机号查找', 'Enter a card number, plate or phone to search'])} />
      ) : (
        <Loaded of={found} lines={3}>
          {(cards) => (
            <Table<CardRow>
              rowKey="id"
              size="small"
              pagination={false}
              scroll={{ x: 'max-content' }}
              dataSource={cards}
              locale={{ emptyText: <Empty description={say(['没有找到储值卡', 'No card found'])} /> }}
              columns={[
                { title: say(['卡号', 'Card number']), dataIndex: 'cardNo' },
                { title: say(['持卡人', 'Holder']), dataIndex: 'holder' },
                { title: say(['手机号', 'Phone']), dataIndex: 'phone' },
                { title: say(['车牌', 'Plates']), render: (_, row) => <Plates numbers={platesOf(row)} /> },
                { title: say(['余额', 'Balance']), align: 'right', render: (_, row) => <Money fen={row.balanceFen} /> },
                { title: say(['状态', 'Status']), render: (_, row) => <State dictionary={CardStatus} value={row.status} /> },
                {
                  title: <ActionsHead folded={narrow} />,
                  fixed: 'right',
                  width: 1,
                  render: (_, row) => (
                    <RowActions actions={[acts(row).bind, acts(row).recharge, acts(row).edit, acts(row).lose, acts(row).replace]} folded={narrow} />
                  ),
                },
              ]}
            />
          )}
        </Loaded>
      )}
      {doing && <CardDialog doing={doing} onClose={() => setDoing(undefined)} />}
    </div>
  )
}
