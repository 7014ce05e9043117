import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import type { Day, Of } from '../../../platform/contract/field.ts'
import { plate } from '../../../platform/contract/field.ts'
import { DAY_MS, dayOf, instantAt } from '../../../platform/contract/time.ts'
import { ask, asks, saveAs } from '../../../platform/web/ask.ts'
import { Chart } from '../../../platform/web/draw/Chart.tsx'
import { cityDay, count } from '../../../platform/web/format.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { toast } from '../../../platform/web/page/hosts.tsx'
import { ListScreen, type RowAction } from '../../../platform/web/list/ListScreen.tsx'
import { can } from '../../../platform/web/person.ts'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { say, useText } from '../../../platform/web/text.ts'
import { Tile, Tiles } from '../../../platform/web/draw/Tiles.tsx'
import { Money } from '../../../platform/web/value.tsx'
import { account, type OwnerInfo, ownerSearch, OwnerStatus } from '../contract/account.ts'
import { asset } from '../contract/asset.ts'
import { car } from '../contract/car.ts'
import { OWNERS, OWNERS_OVER_TIME } from '../contract/figures.ts'
import { storedRefund } from '../contract/refund.ts'
import { ApplyRefund } from './ApplyRefund.tsx'
import { OwnerSelect } from './api/OwnerSelect.tsx'
import { CAR_CHANGES, OWNER_CHANGES } from './changes.ts'
import { RechargeDialog } from './RechargeDialog.tsx'

type Row = Of<typeof OwnerInfo>
type Doing = { what: 'register'; of?: undefined } | { what: 'lock' | 'bind' | 'recharge' | 'refund' | 'merge'; of: Row }

/** Drivers with an account: their assets here, and the actions for them. */
export default function AccountScreen() {
  const say = useText()
  const [doing, setDoing] = useState<Doing>()
  const actionsOf = useActions(setDoing)
  return (
    <>
      <ListScreen
        above={<Now />}
        purpose={['注册车主及其车辆、储值、积分和优惠券', 'Drivers with an account: their cars, stored value, points and coupons']}
        query={account.info}
        search={ownerSearch}
        extra={{ plateNo: plate() }}
        rowKey="ownerId"
        find={['phone', 'plateNo', 'nickname', 'status', 'registeredAt']}
        columns={[
          'nickname',
          'phone',
          'status',
          'cars',
          'verified',
          'storedFen',
          'points',
          'coupons',
          'registeredAt',
          'activeAt',
          'lockReason',
          'eraseAt',
        ]}
        hidden={['lockReason', 'eraseAt']}
        roomy={['activeAt', 'coupons', 'points']}
        toolbar={
          can(account.register.needs) && <Button onClick={() => setDoing({ what: 'register' })}>{say(['登记车主', 'Register an owner'])}</Button>
        }
        actions={actionsOf}
        empty={['还没有车主注册', 'No owners registered yet']}
      />
      {doing && <Dialog doing={doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

/** The actions on an owner; one who is to be deleted can still stay. */
function useActions(setDoing: (doing: Doing) => void): (row: Row) => RowAction[] {
  const act = useAct(OWNER_CHANGES)
  const erase = (row: Row, cancel: boolean) =>
    act(
      account.erase,
      { ownerId: row.ownerId, version: row.version, cancel },
      cancel
        ? { done: ['已撤回注销', 'Deletion withdrawn'] }
        : {
            question: [
              `七天后注销 ${row.nickname}？手机号和车牌将不再保留`,
              `Delete ${row.nickname}’s account in seven days? The phone number and plates will be removed`,
            ],
            act: ['确认注销', 'Delete'],
            done: ['七天后生效，期间可撤回', 'Takes effect in seven days; it can be withdrawn until then'],
          },
    )
  return (row) => [
    { text: ['充值', 'Recharge'], needs: asset.recharge.needs, run: () => setDoing({ what: 'recharge', of: row }) },
    { text: ['绑车', 'Bind a car'], needs: car.bind.needs, run: () => setDoing({ what: 'bind', of: row }) },
    {
      text: ['退款', 'Refund'],
      needs: storedRefund.apply.needs,
      run: () => setDoing({ what: 'refund', of: row }),
      not: row.storedFen > 0 ? undefined : ['没有储值余额', 'No stored value'],
    },
    row.status === OwnerStatus.locked
      ? {
          text: ['解锁', 'Unlock'],
          needs: account.lock.needs,
          run: () =>
            void act(account.lock, { ownerId: row.ownerId, version: row.version, locked: false, reason: '-' }, { done: ['已解锁', 'Unlocked'] }),
        }
      : { text: ['锁定', 'Lock'], needs: account.lock.needs, run: () => setDoing({ what: 'lock', of: row }) },
    { text: ['导出资料', 'Export data'], needs: account.export.needs, run: () => void exportAll(row) },
    { text: ['并入他人', 'Merge into'], needs: account.merge.needs, run: () => setDoing({ what: 'merge', of: row }) },
    row.eraseAt
      ? { text: ['撤回注销', 'Withdraw deletion'], needs: account.erase.needs, run: () => void erase(row, true) }
      : { text: ['注销', 'Delete account'], needs: account.erase.needs, run: () => void erase(row, false), danger: true },
  ]
}

/** All that is kept of one person, as they may ask for it: a file that other programs read. */
async function exportAll({ ownerId, nickname }: Row): Promise<void> {
  const kept = await ask(account.export, { ownerId }).catch(() => undefined)
  if (!kept) return
  saveAs(new Blob([JSON.stringify(kept, null, 2)], { type: 'application/json' }), `${say(['车主资料', 'Owner data'])}-${nickname}-${cityDay()}.json`)
  toast('success', ['已导出，请妥善保管', 'Exported; keep it safe'])
}
const DAYS = 30
/** How many there are now, and who came lately. */
function Now() {
  const say = useText()
  const { data } = useQuery(asks(account.statistics, {}, { quiet: true }))
  const [dateTo, dateFrom] = [dayOf(instantAt(Date.now())), dayOf(instantAt(Date.now() - (DAYS - 1) * DAY_MS))] as [Day, Day]
  const { data: series } = useQuery(asks(account.userStatistics, { dateFrom, dateTo }, { quiet: true }))
  return (
    <>
      <Tiles label={['车主概况', 'Owner overview']}>
        <Tile figure={OWNERS.owners} value={data?.owners}>
          {data && say([`今日新增 ${count(data.addedToday)}`, `${count(data.addedToday)} new today`])}
        </Tile>
        <Tile figure={OWNERS.cars} value={data?.cars} />
        <Tile figure={OWNERS.verified} value={data?.verified} />
        <Tile figure={OWNERS.waiting} value={data?.waiting} tone={Boolean(data?.waiting) && 'warning'} />
        <Tile figure={OWNERS.storedFen} value={data && <Money fen={data.storedFen} />} />
      </Tiles>
      <Chart
        label={['近 30 天', 'Last 30 days']}
        title={['近 30 天新增与活跃', 'New and active in the last 30 days']}
        figures={Object.values(OWNERS_OVER_TIME)}
        kind="line"
        by={['日期', 'Day']}
        height={160}
        waiting={series === undefined}
        categories={(series ?? []).map(({ day }) => day.slice(5))}
        series={[
          { name: OWNERS_OVER_TIME.added.name, values: (series ?? []).map(({ added }) => added) },
          { name: OWNERS_OVER_TIME.active.name, values: (series ?? []).map(({ active }) => active) },
          { name: OWNERS_OVER_TIME.bound.name, values: (series ?? []).map(({ bound }) => bound) },
        ]}
        empty={['没有车主', 'No owners']}
      />
    </>
  )
}

function Dialog({ doing, onClose }: { doing: Doing; onClose: () => void }) {
  const { what, of } = doing
  const shared = { mode: 'new', onClose } as const
  if (what === 'register')
    return (
      <FormDialog
        {...shared}
        title={['登记车主', 'Register an owner']}
        entity={account.register.input}
        value={{}}
        save={account.register}
        done={['已登记', 'Registered']}
        changes={OWNER_CHANGES}
        fields={['phone', 'nickname']}
      />
    )
  if (what === 'recharge') return <RechargeDialog ownerId={of.ownerId} holder={of.nickname} onClose={onClose} />
  if (what === 'refund') return <ApplyRefund ownerId={of.ownerId} holder={of.nickname} onClose={onClose} />
  if (what === 'lock')
    return (
      <FormDialog
        {...shared}
        title={[`锁定 · ${of.nickname}`, `Lock · ${of.nickname}`]}
        entity={account.lock.input}
        value={{ ownerId: of.ownerId, version: of.version, locked: true }}
        save={account.lock}
        act={['锁定车主', 'Lock the owner']}
        done={['已锁定', 'Locked']}
        changes={OWNER_CHANGES}
        fields={[{ name: 'reason', help: ['锁定后不能充值、绑车，也不再自动代扣', 'While locked: no recharges, no binding, no automatic debit'] }]}
      />
    )
  if (what === 'bind') return <Binding of={of} onClose={onClose} />
  return <Merging of={of} onClose={onClose} />
}

function Binding({ of, onClose }: { of: Row; onClose: () => void }) {
  return (
    <FormDialog
      mode="new"
      title={[`绑定车辆 · ${of.nickname}`, `Bind a car · ${of.nickname}`]}
      entity={car.bind.input}
      value={{ ownerId: of.ownerId }}
      save={car.bind}
      done={['已登记，等待车牌审核', 'Registered; waiting for plate review']}
      changes={CAR_CHANGES}
      fields={[
        'plateNo',
        { name: 'plateColor', optional: true, help: ['不填按车牌推断', 'Leave empty to take it from the plate'] },
        { name: 'vehicleClass', optional: true },
        { name: 'images', optional: true },
        { name: 'remark', optional: true },
      ]}
      onClose={onClose}
    />
  )
}

function Merging({ of, onClose }: { of: Row; onClose: () => void }) {
  return (
    <FormDialog
      mode="new"
      title={[`将 ${of.nickname} 并入`, `Merge ${of.nickname} into`]}
      entity={account.merge.input}
      value={{ goneId: of.ownerId, dryRun: false }}
      save={account.merge}
      act={['确认合并', 'Merge']}
      done={['已合并', 'Merged']}
      changes={OWNER_CHANGES}
      fields={[
        {
          name: 'keepId',
          control: <OwnerSelect not={of.ownerId} />,
          help: ['车辆、储值、卡和明细都归到此人；不能撤销', 'Cars, stored value, cards and history go to this owner; this cannot be undone'],
        },
      ]}
      onClose={onClose}
    />
  )
}
