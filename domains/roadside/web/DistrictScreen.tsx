import { Button } from 'antd'
import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { Facts } from '../../../platform/web/record/DetailDrawer.tsx'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { can } from '../../../platform/web/person.ts'
import { Label } from '../../../platform/web/form/remove.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { State } from '../../../platform/web/value.tsx'
import { statusCan, UseStatus } from '../../parking/contract/park.ts'
import { District, district, type DistrictNow, districtSearch } from '../contract/district.ts'
import { DISTRICT_CHANGES } from './changes.ts'
import { Lead } from './Lead.tsx'

type Row = Of<typeof DistrictNow>
type Doing = { what: 'new'; of?: undefined } | { what: 'edit' | 'status'; of: Row }

/** The districts: which streets are run together, how many berths they have, and how long their drivers have. */
export default function DistrictScreen() {
  const say = useText()
  const [doing, setDoing] = useState<Doing>()
  const close = () => setDoing(undefined)
  return (
    <>
      <ListScreen
        purpose={['路内停车按片区管理：路段、泊位和时限', 'Roadside parking by district: sections, berths and time limits']}
        query={district.find}
        search={districtSearch}
        exports={district.export}
        find={['name', 'status', 'parkCode', 'regionCode']}
        rowKey="parkCode"
        columns={[
          'name',
          'parkCode',
          'regionCode',
          { dataIndex: 'sections', render: (_, row) => <Lead to="section" of={row} n={row.sections} /> },
          { dataIndex: 'seats', render: (_, row) => <Lead to="berth" of={row} n={row.seats} /> },
          { dataIndex: 'occupied', render: (_, row) => <Lead to="present" of={row} n={row.occupied} /> },
          'plateFillMin',
          'payGraceHours',
          'status',
          'exitGraceMin',
          'phone',
          'address',
          'remark',
        ]}
        hidden={['exitGraceMin', 'phone', 'address', 'remark']}
        roomy={['plateFillMin', 'payGraceHours', 'regionCode']}
        live="parking.park"
        add={{ call: district.add, open: () => setDoing({ what: 'new' }) }}
        actions={(row) => [
          { text: Label.edit, needs: district.edit.needs, run: () => setDoing({ what: 'edit', of: row }) },
          {
            text: statusCan.disable(row.status) ? Label.disable : Label.enable,
            needs: district.changeStatusPost.needs,
            run: () => setDoing({ what: 'status', of: row }),
          },
        ]}
        detail={{
          call: district.one,
          input: (parkCode) => ({ parkCode }),
          head: (row) => (
            <>
              <b>{row.name}</b> <code className="faint">{row.parkCode}</code> <State dictionary={UseStatus} value={row.status} />
            </>
          ),
          act: (row) => can(district.edit.needs) && <Button onClick={() => setDoing({ what: 'edit', of: row })}>{say(Label.edit)}</Button>,
          body: (row) => <DistrictStory row={row} />,
        }}
      />
      {doing?.what === 'status' && <Switch of={doing.of} onClose={close} />}
      {doing && doing.what !== 'status' && <DistrictForm {...(doing.of && { of: doing.of })} onClose={close} />}
    </>
  )
}

function DistrictStory({ row }: { row: Row }) {
  return (
    <Facts
      entity={District}
      of={row}
      show={[
        { label: ['路段', 'Sections'], value: <Lead to="section" of={row} n={row.sections} /> },
        { label: ['泊位', 'Berths'], value: <Lead to="berth" of={row} n={row.seats} /> },
        { label: ['在停', 'Occupied'], value: <Lead to="present" of={row} n={row.occupied} /> },
        'plateFillMin',
        'payGraceHours',
        'exitGraceMin',
        'overstayDays',
        'billMaxFen',
        'ruleBind',
        'address',
        'phone',
        'lng',
        'lat',
        'updatedAt',
        'remark',
      ]}
    />
  )
}

const FACTS = [
  'name',
  'regionCode',
  'address',
  'phone',
  'lng',
  'lat',
  {
    name: 'plateFillMin',
    help: [
      '地磁先发现车辆；超过这个时间还没有车牌，记为异常',
      'A sensor detects the car first; without a plate for longer than this, the stay becomes abnormal',
    ] as const,
  },
  { name: 'payGraceHours', help: ['离场未缴，过了这个时间才催缴', 'No reminder is sent for an unpaid stay before this time'] as const },
  { name: 'exitGraceMin', help: ['缴费后在此时间内驶离不再收费', 'No further fee for leaving within this time after paying'] as const },
  'overstayDays',
  {
    name: 'billMaxFen',
    help: ['超过此金额的费用先由人核对，核对前不收款', 'A fee above this amount is checked by a person before payment'] as const,
  },
  'ruleBind',
  'remark',
] as const
function DistrictForm({ of, onClose }: { of?: Row; onClose: () => void }) {
  const shared = { entity: District, changes: DISTRICT_CHANGES, onClose }
  if (of) return <FormDialog {...shared} mode="edit" value={of} save={district.edit} done={['已保存', 'Saved']} fields={FACTS} />
  return (
    <FormDialog
      {...shared}
      mode="new"
      value={{}}
      save={district.add}
      done={['已新增，接着添加路段', 'Added; now add sections']}
      fields={[{ name: 'parkCode', help: ['如 R001；不可再改', 'For example R001; it cannot be changed'] }, ...FACTS.map((one) => optional(one))]}
    />
  )
}
const NEEDED = ['name', 'regionCode']
type Fact = (typeof FACTS)[number]
const optional = (one: Fact) => {
  const field = typeof one === 'string' ? { name: one } : one
  return NEEDED.includes(field.name) ? field : { ...field, optional: true }
}

const MEANS: Text = [
  '停用后新到的车按违停登记；在停的车照常缴费离场',
  'After disabling, new arrivals are recorded as illegal stops; parked cars pay and leave as usual',
]
function Switch({ of, onClose }: { of: Row; onClose: () => void }) {
  const off = of.status === UseStatus.inUse
  const word = off ? Label.disable : Label.enable
  return (
    <FormDialog
      title={[`${word[0]}片区 · ${of.name}`, `${word[1]} district · ${of.name}`]}
      entity={district.changeStatusPost.input}
      mode="edit"
      value={{ parkCode: of.parkCode, version: of.version, status: off ? UseStatus.disabled : UseStatus.inUse }}
      save={district.changeStatusPost}
      act={word}
      done={off ? ['已停用', 'Disabled'] : ['已启用', 'Enabled']}
      changes={DISTRICT_CHANGES}
      fields={[{ name: 'reason', optional: !off, help: MEANS }]}
      onClose={onClose}
    />
  )
}
