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
import { UseStatus } from '../../parking/contract/park.ts'
import { CHOOSE } from '../../parking/web/api/names.tsx'
import { flagCan, Section, section, SectionLevel, type SectionNow, sectionSearch, Side, TollMode } from '../contract/section.ts'
import { SECTION_CHANGES } from './changes.ts'
import { Lead } from './Lead.tsx'
import { DistrictName, DistrictSelect } from './api/names.tsx'

type Row = Of<typeof SectionNow>
type Doing = { what: 'new'; of?: undefined } | { what: 'edit' | 'flag'; of: Row }

/** The sections: their berths, devices and fee rules. */
export default function SectionScreen() {
  const say = useText()
  const [doing, setDoing] = useState<Doing>()
  const close = () => setDoing(undefined)
  return (
    <>
      <ListScreen
        purpose={[
          '每个路段的泊位数、检测方式与收费规则；有规则才能启用',
          'Each section’s berths, detection and fee rule; a section needs a rule to be enabled',
        ]}
        query={section.find}
        search={sectionSearch}
        find={[{ name: 'parkCode', control: <DistrictSelect />, label: ['片区', 'District'] }, 'name', 'flag', 'tollMode', 'level', 'sectionCode']}
        rowKey="sectionCode"
        columns={[
          'name',
          'sectionCode',
          { dataIndex: 'parkName', render: (_, row) => <DistrictName code={row.parkCode} /> },
          'tollMode',
          'level',
          { dataIndex: 'seats', render: (_, row) => <Lead to="berth" of={row} n={row.seats} /> },
          { dataIndex: 'occupied', render: (_, row) => <Lead to="present" of={row} n={row.occupied} /> },
          'boundSeats',
          { dataIndex: 'ruleName', render: (_, row) => row.ruleName ?? <NoRule /> },
          'flag',
          'side',
          'remark',
        ]}
        hidden={['side', 'remark']}
        roomy={['level', 'boundSeats']}
        live="roadside.berth"
        add={{ call: section.add, open: () => setDoing({ what: 'new' }) }}
        actions={(row) => [
          { text: Label.edit, needs: section.edit.needs, run: () => setDoing({ what: 'edit', of: row }) },
          {
            text: flagCan.disable(row.flag) ? Label.disable : Label.enable,
            needs: section.changeFlag.needs,
            run: () => setDoing({ what: 'flag', of: row }),
            not:
              row.flag === UseStatus.disabled &&
              row.ruleName === null &&
              (['未配置收费规则，不能启用', 'No fee rule yet, so it cannot be enabled'] as const),
          },
        ]}
        detail={{
          call: section.info,
          input: (sectionCode) => ({ sectionCode }),
          head: (row) => (
            <>
              <b>{row.name}</b> <code className="faint">{row.sectionCode}</code> <State dictionary={UseStatus} value={row.flag} />
            </>
          ),
          act: (row) => can(section.edit.needs) && <Button onClick={() => setDoing({ what: 'edit', of: row })}>{say(Label.edit)}</Button>,
          body: (row) => <SectionStory row={row} />,
        }}
      />
      {doing?.what === 'flag' && <Switch of={doing.of} onClose={close} />}
      {doing && doing.what !== 'flag' && <SectionForm {...(doing.of && { of: doing.of })} onClose={close} />}
    </>
  )
}

function SectionStory({ row }: { row: Row }) {
  return (
    <Facts
      entity={Section}
      of={row}
      show={[
        { label: ['片区', 'District'], value: <DistrictName code={row.parkCode} /> },
        { label: ['泊位', 'Berths'], value: <Lead to="berth" of={row} n={row.seats} /> },
        { label: ['在停', 'Occupied'], value: <Lead to="present" of={row} n={row.occupied} /> },
        { label: ['收费规则', 'Fee rule'], value: row.ruleName ?? <NoRule /> },
        'side',
        'level',
        'tollMode',
        'updatedAt',
        'remark',
      ]}
    />
  )
}

function NoRule() {
  const say = useText()
  return <span className="state error">{say(['未配置收费规则', 'No fee rule'])}</span>
}

const FACTS = ['name', 'side', 'level', 'tollMode', 'remark'] as const
function SectionForm({ of, onClose }: { of?: Row; onClose: () => void }) {
  const shared = { entity: Section, changes: SECTION_CHANGES, onClose }
  if (of) return <FormDialog {...shared} mode="edit" value={of} save={section.edit} done={['已保存', 'Saved']} fields={FACTS} />
  return (
    <FormDialog
      {...shared}
      mode="new"
      value={{ side: Side.right, level: SectionLevel.second, tollMode: TollMode.sensor }}
      save={section.add}
      done={['已新增；配置收费规则后可启用', 'Added; it can be enabled once it has a fee rule']}
      fields={[
        { name: 'parkCode', label: ['片区', 'District'], control: <DistrictSelect empty={CHOOSE} /> },
        { name: 'sectionCode', help: ['如 R001-01；不可再改', 'For example R001-01; it cannot be changed'] },
        ...FACTS,
      ]}
    />
  )
}

const MEANS: Text = [
  '停用后新到的车按违停登记；在停的车按原规则缴费',
  'After disabling, new arrivals are recorded as illegal stops; parked cars pay by their original rule',
]
function Switch({ of, onClose }: { of: Row; onClose: () => void }) {
  const off = of.flag === UseStatus.inUse
  const word = off ? Label.disable : Label.enable
  return (
    <FormDialog
      title={[`${word[0]}路段 · ${of.name}`, `${word[1]} section · ${of.name}`]}
      entity={section.changeFlag.input}
      mode="edit"
      value={{ id: of.id, version: of.version, flag: off ? UseStatus.disabled : UseStatus.inUse }}
      save={section.changeFlag}
      act={word}
      done={off ? ['已停用', 'Disabled'] : ['已启用', 'Enabled']}
      changes={SECTION_CHANGES}
      fields={[{ name: 'reason', optional: !off, help: MEANS }]}
      onClose={onClose}
    />
  )
}
