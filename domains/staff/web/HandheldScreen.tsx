import { useQuery } from '@tanstack/react-query'
import { Tag, Typography } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { Facts, Section, Timeline } from '../../../platform/web/record/DetailDrawer.tsx'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { can } from '../../../platform/web/person.ts'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { useText } from '../../../platform/web/text.ts'
import { DeviceUse } from '../../device/contract/device.ts'
import { deviceDetail } from '../../device/web/api/deviceDetail.tsx'
import { findPark } from '../../parking/web/api/names.tsx'
import { log, PdaLevel } from '../../system/contract/log.ts'
import { toll } from '../contract/collector.ts'
import { Handheld, handheld, handheldSearch } from '../contract/handheld.ts'
import { CollectorSelect, useParkColumn } from './choices.tsx'

type Row = Of<typeof Handheld>
type Doing = { what: 'bind' | 'lock'; of: Row }
const CHANGES = [handheld.query, toll.query, toll.detail]
/** Below it a handheld does not last a shift. */
const LOW_BATTERY = 20

/** The collectors' handhelds: in whose hands they are, whether they are heard, and what they tell. */
export default function HandheldScreen() {
  const say = useText()
  const park = useParkColumn()
  const { takeBack, unlock } = useActs()
  const [doing, setDoing] = useState<Doing>()
  return (
    <>
      <ListScreen
        purpose={[
          '收费员的手持机：在谁手中、是否在线、电量与待上传记录',
          'Collectors’ handhelds: holder, online state, battery and records waiting to upload',
        ]}
        query={handheld.query}
        search={handheldSearch}
        find={['deviceNo', 'holderName', 'tollNo', findPark, 'online', 'useStatus']}
        columns={[
          'deviceNo',
          'name',
          'holderName',
          'tollNo',
          park,
          'online',
          { dataIndex: 'lockedAt', title: say(['锁定', 'Lock']), render: (_, row) => <Lock of={row} /> },
          { dataIndex: 'battery', render: (_, { battery }) => <Battery percent={battery} /> },
          'queue',
          'appVersion',
          'lastSeenAt',
          'useStatus',
        ]}
        hidden={['name', 'useStatus']}
        roomy={['appVersion', 'lastSeenAt', 'queue']}
        rowKey="id"
        actions={(row) => [
          {
            text: ['绑定', 'Issue'],
            needs: handheld.bind.needs,
            run: () => setDoing({ what: 'bind', of: row }),
            not: notBindable(row),
          },
          {
            text: ['解绑', 'Take back'],
            needs: handheld.unbind.needs,
            run: () => takeBack(row),
            not: row.tollNo === null && ['没有绑定人员', 'It is not issued'],
          },
          row.lockedAt
            ? { text: ['解锁', 'Unlock'], needs: handheld.unlock.needs, run: () => unlock(row) }
            : { text: ['锁定', 'Lock'], needs: handheld.lock.needs, run: () => setDoing({ what: 'lock', of: row }), danger: true },
        ]}
        detail={{
          ...deviceDetail,
          body: (device) => (
            <>
              <Holding deviceNo={device.deviceNo} />
              {deviceDetail.body(device)}
              {can(log.pdaQuery.needs) && <Log deviceNo={device.deviceNo} />}
            </>
          ),
        }}
        empty={['还没有手持机：在设备管理中新增类型为 PDA 的设备', 'No handhelds yet: add devices of type PDA under Devices']}
      />
      {doing && <Doing doing={doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

/** Acts done at once, after a question. */
function useActs() {
  const act = useAct(CHANGES)
  const takeBack = ({ deviceNo, holderName }: Row) =>
    void act(
      handheld.unbind,
      { deviceNo },
      {
        question: [`从 ${holderName} 手中收回手持机 ${deviceNo}？`, `Take back handheld ${deviceNo} from ${holderName}?`],
        act: ['解绑', 'Take back'],
        done: ['已解绑', 'Taken back'],
      },
    )
  const unlock = ({ deviceNo, lockReason }: Row) =>
    void act(
      handheld.unlock,
      { deviceNo },
      {
        question: [`解锁手持机 ${deviceNo}？锁定原因：${lockReason}`, `Unlock handheld ${deviceNo}? Reason for the lock: ${lockReason}`],
        act: ['解锁', 'Unlock'],
        done: ['已解锁', 'Unlocked'],
      },
    )
  return { takeBack, unlock }
}

function Doing({ doing: { what, of }, onClose }: { doing: Doing; onClose: () => void }) {
  const { deviceNo } = of
  if (what === 'bind')
    return (
      <FormDialog
        title={[`绑定手持机 · ${deviceNo}`, `Issue handheld · ${deviceNo}`]}
        entity={handheld.bind.input}
        mode="new"
        value={{ deviceNo: deviceNo }}
        save={handheld.bind}
        act={['绑定', 'Issue']}
        done={['已绑定', 'Issued']}
        changes={CHANGES}
        fields={[
          {
            name: 'tollNo',
            label: ['领用人', 'Holder'],
            control: <CollectorSelect byNo />,
            help: ['领用人原有的手持机随之解绑', 'The holder’s current handheld is taken back'],
          },
        ]}
        onClose={onClose}
      />
    )
  return (
    <FormDialog
      title={[`锁定手持机 · ${deviceNo}`, `Lock handheld · ${deviceNo}`]}
      entity={handheld.lock.input}
      mode="new"
      value={{ deviceNo: deviceNo }}
      save={handheld.lock}
      act={['锁定', 'Lock']}
      done={['已锁定', 'Locked']}
      changes={CHANGES}
      fields={[
        {
          name: 'reason',
          help: [
            '锁定后只补传此前的记录，不能再登记、收费或打卡',
            'Once locked it only uploads earlier records: no new entries, payments or clock-ins',
          ],
        },
      ]}
      onClose={onClose}
    />
  )
}

const notBindable = ({ useStatus, lockedAt, holderName }: Row) => {
  if (holderName !== null) return [`在 ${holderName} 手中，请先解绑`, `Issued to ${holderName}: take it back first`] as const
  if (lockedAt) return ['已锁定，请先解锁', 'It is locked: unlock it first'] as const
  return useStatus !== DeviceUse.inUse && (['未投用', 'Not in use'] as const)
}

function Lock({ of: { lockedAt } }: { of: Pick<Row, 'lockedAt'> }) {
  const say = useText()
  return lockedAt ? <Tag color="error">{say(['已锁定', 'Locked'])}</Tag> : '--'
}
const { Text } = Typography
function Battery({ percent }: { percent: number | null }) {
  if (percent === null) return '--'
  return percent < LOW_BATTERY ? <Text type="danger">{percent}%</Text> : `${percent}%`
}

/** Whose it is now, and its lock. */
function Holding({ deviceNo }: { deviceNo: string }) {
  const { data } = useQuery(asks(handheld.query, { deviceNo, limit: 100 }))
  const of = data?.records.find((one) => one.deviceNo === deviceNo)
  if (!of) return undefined
  const locked = ['lockedAt', 'lockedBy', 'lockReason'] as const
  return (
    <Section title={['领用', 'Holder']}>
      <Facts entity={Handheld} of={of} show={['holderName', 'tollNo', 'battery', 'queue', ...(of.lockedAt ? locked : [])]} />
    </Section>
  )
}

/** The number of its last log lines to show, about one screen. */
const LATEST = 20
const TONES = { [PdaLevel.warning]: 'warning', [PdaLevel.error]: 'error' } as const
function Log({ deviceNo }: { deviceNo: string }) {
  const say = useText()
  const { data } = useQuery(asks(log.pdaQuery, { deviceNo, limit: LATEST, queryMode: 'rows' }))
  return (
    <Section title={['最近日志', 'Latest log lines']}>
      {data?.records.length === 0 && <p className="faint">{say(['还没有上报过日志', 'No log reported yet'])}</p>}
      {data && (
        <Timeline
          events={data.records.map((row) => ({
            key: row.id,
            at: row.receivedAt,
            title: row.tag ? `${row.tag} · ${row.content}` : row.content,
            tone: TONES[row.level as keyof typeof TONES] ?? 'default',
          }))}
        />
      )}
      <Link to={`/appManage/system/pdaLog?deviceNo=${encodeURIComponent(deviceNo)}`}>{say(['全部日志', 'All log lines'])}</Link>
    </Section>
  )
}
