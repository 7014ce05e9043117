import { useQuery } from '@tanstack/react-query'
import { Button, Tag } from 'antd'
import { useRef, useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { msOf } from '../../../platform/contract/time.ts'
import { asks } from '../../../platform/web/ask.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ImportButton } from '../../../platform/web/sheet/ImportDialog.tsx'
import { type Column, ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { toast } from '../../../platform/web/page/hosts.tsx'
import { can } from '../../../platform/web/person.ts'
import { Label } from '../../../platform/web/form/remove.tsx'
import { tickedSome } from '../../../platform/web/list/selection.ts'
import { Tile, Tiles } from '../../../platform/web/draw/Tiles.tsx'
import { type Say, type Text, useText } from '../../../platform/web/text.ts'
import { Money, Plates, State, Until } from '../../../platform/web/value.tsx'
import { findPark } from '../../parking/web/api/names.tsx'
import { business, Customer, customer, customerExtra, type CustomerLine, customerSearch, CustomerStatus, CustomerKind } from '../contract/customer.ts'
import { PASSES } from '../contract/figures.ts'
import { memberSheet } from '../contract/memberSheet.ts'
import { pass, PassStatus, RENEWED_MOST } from '../contract/pass.ts'
import { CUSTOMER_CHANGES } from './changes.ts'
import { CustomerStory } from './CustomerStory.tsx'
import { GroupSelect } from './names.tsx'
import { RenewMany } from './RenewMany.tsx'
import { Sell } from './Sell.tsx'

type Row = Of<typeof CustomerLine>
type Doing =
  { what: 'new' } | { what: 'renew'; memberIds: Row['id'][] } | { what: 'edit' | 'sell'; of: Pick<Row, 'id' | 'name' | 'plates'> & Partial<Row> }

/** Customers with their passes and cars. `today`: with what the day brought. */
export function Customers({ today = false }: { today?: boolean }) {
  const say = useText()
  const [doing, setDoing] = useState<Doing>()
  const { data: figures } = useFigures()
  return (
    <>
      <ListScreen
        purpose={
          figures?.limited
            ? OURS
            : ['月卡客户的卡和车：开卡、续费、冻结、换车、退卡', 'Customers’ passes and cars: sell, renew, freeze, change plates, cancel pass']
        }
        above={today && can(business.todayAndTotal.needs) && <Today />}
        query={customer.queryPage}
        search={customerSearch}
        extra={customerExtra}
        find={[
          'name',
          'plateNo',
          'phone',
          { name: 'groupId', control: <GroupSelect /> },
          findPark,
          'passStatus',
          'endAt',
          'kind',
          'status',
          'listType',
        ]}
        columns={columnsOf(say)}
        hidden={['kind', 'address', 'createdAt', 'remark']}
        roomy={['phone', 'passes', 'daysLeft']}
        add={{ call: customer.insert, open: () => setDoing({ what: 'new' }) }}
        exports={memberSheet.export}
        ticks={can(pass.renewMany.needs)}
        toolbar={({ ticked, untick }) => <Tools ticked={ticked} untick={untick} renew={(memberIds) => setDoing({ what: 'renew', memberIds })} />}
        sum={{
          figures: [
            { text: ['有效', 'valid'], leads: { passStatus: PassStatus.valid } as never },
            { text: ['过期', 'expired'], leads: { passStatus: PassStatus.expired } as never },
            { text: ['冻结', 'frozen'], leads: { passStatus: PassStatus.frozen } as never },
            { text: ['待审', 'under review'], leads: { passStatus: PassStatus.underReview } as never },
          ],
        }}
        actions={(row) => [
          {
            text: ['开卡', 'Sell a pass'],
            needs: pass.sell.needs,
            run: () => setDoing({ what: 'sell', of: row }),
            not: row.status === CustomerStatus.stopped && ['客户已停用', 'The customer is stopped'],
          },
          { text: Label.edit, needs: customer.update.needs, run: () => setDoing({ what: 'edit', of: row }) },
        ]}
        detail={{
          call: customer.detail,
          head: (row) => (
            <>
              <b>{row.name}</b> <State dictionary={CustomerStatus} value={row.status} />
            </>
          ),
          body: (row) => <CustomerStory of={row} />,
        }}
        empty={['还没有月卡客户：新增客户后开卡，或导入表格', 'No customers yet: add one and sell a pass, or import a sheet']}
      />
      {doing && <Doing doing={doing} then={setDoing} onClose={() => setDoing(undefined)} />}
      <span className="unseen">{say(['月卡客户', 'Customers'])}</span>
    </>
  )
}

const columnsOf = (say: Say): Column<Row>[] => [
  'name',
  'phone',
  { dataIndex: 'plates', render: (_, row) => <Plates numbers={row.plates} most={2} still /> },
  { dataIndex: 'groups', render: (_, row) => row.groups.join('、') || '--' },
  'passes',
  { dataIndex: 'endAt', render: (_, row) => <Ends at={row.endAt} /> },
  { dataIndex: 'daysLeft', render: (_, row) => (row.refunding ? <Tag>{say(['退卡中', 'Being cancelled'])}</Tag> : (row.daysLeft ?? '--')) },
  'status',
  'kind',
  'address',
  'createdAt',
  'remark',
]

function Tools({ ticked, untick, renew }: { ticked: readonly Row[]; untick: () => void; renew: (memberIds: Row['id'][]) => void }) {
  const say = useText()
  return (
    <>
      <ImportButton call={memberSheet.import} changes={CUSTOMER_CHANGES} />
      {can(pass.renewMany.needs) && (
        <Button onClick={() => tickedSome(ticked) && notTooMany(ticked) && (renew(ticked.map(({ id }) => id)), untick())}>
          {say(['批量续费', 'Renew in bulk'])}
        </Button>
      )}
    </>
  )
}

function Doing({ doing, then, onClose }: { doing: Doing; then: (next: Doing) => void; onClose: () => void }) {
  if (doing.what === 'sell') return <Sell of={doing.of} onClose={onClose} />
  if (doing.what === 'renew') return <RenewMany memberIds={doing.memberIds} onClose={onClose} />
  return <CustomerForm of={doing.what === 'edit' ? (doing.of as Row) : undefined} onSold={(of) => then({ what: 'sell', of })} onClose={onClose} />
}

/** A customer’s last pass: one that is over says so, whatever the customer’s own state. */
const Ends = ({ at }: { at: Row['endAt'] }) => (
  <>
    <Until at={at} /> {at && msOf(at) <= Date.now() && <State dictionary={PassStatus} value={PassStatus.expired} />}
  </>
)
function notTooMany(ticked: readonly Row[]): boolean {
  if (ticked.length <= RENEWED_MOST) return true
  toast('warning', [`一次最多选 ${RENEWED_MOST} 个客户`, `Select ${RENEWED_MOST} customers at most`])
  return false
}

const FIELDS = ['name', 'phone', 'kind', 'certNo', 'address', 'remark'] as const
function CustomerForm({
  of,
  onSold,
  onClose,
}: {
  of: Row | undefined
  onSold: (of: { id: Row['id']; name: string; plates: string[] }) => void
  onClose: () => void
}) {
  const added = useRef<Row['id']>(undefined)
  if (of)
    return (
      <FormDialog
        entity={Customer}
        mode="edit"
        value={of}
        save={customer.update}
        changes={CUSTOMER_CHANGES}
        done={['已保存', 'Saved']}
        fields={[...FIELDS, 'status']}
        onClose={onClose}
      />
    )
  return (
    <FormDialog
      entity={Customer}
      mode="new"
      title={['新增客户', 'Add a customer']}
      value={{ kind: CustomerKind.person }}
      save={customer.insert as never}
      changes={CUSTOMER_CHANGES}
      act={['保存并开卡', 'Save, then sell a pass']}
      fields={FIELDS as never}
      onSaved={(reply) => {
        added.current = (reply as { id: Row['id'] }).id
      }}
      onClose={() => (added.current && can(pass.sell.needs) ? onSold({ id: added.current, name: '', plates: [] }) : onClose())}
    />
  )
}

const OURS: Text = [
  '您的车场的月卡客户；其他车场的客户按完整手机号查找',
  'Customers of your parks; those of other parks are found by the whole phone number',
]
const useFigures = () => useQuery(asks(customer.queryStatistics, {}, { quiet: true }))
function Today() {
  const say = useText()
  const { data } = useQuery(asks(business.todayAndTotal, {}, { quiet: true }))
  const { data: figures } = useFigures()
  return (
    <Tiles label={data?.limited ? ['今日与累计（仅您的车场）', 'Today and total (your parks only)'] : ['今日与累计', 'Today and total']}>
      <Tile figure={PASSES.sold} value={data && `${data.sold} / ${data.renewed}`} />
      <Tile figure={PASSES.netFen} value={data && <Money fen={data.netFen} />} />
      <Tile figure={PASSES.valid} value={figures?.valid} />
      <Tile figure={PASSES.ending} value={figures?.ending} tone={Boolean(figures?.ending) && 'warning'} />
      <Tile figure={PASSES.customers} value={data && `${data.customers} / ${data.cars}`}>
        {data?.limited && say(['您的车场', 'Your car parks'])}
      </Tile>
      <Tile figure={PASSES.deferredFen} value={data && <Money fen={data.deferredFen} />} />
    </Tiles>
  )
}
