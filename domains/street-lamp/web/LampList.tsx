import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ImportButton } from '../../../platform/web/sheet/ImportDialog.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { Label, useRemove } from '../../../platform/web/form/remove.tsx'
import { Lamp, lamp, type LampLine, lampSearch, LampState } from '../contract/lamp.ts'
import { LAMP_CHANGES, LAMP_TOPIC } from './changes.ts'
import { BoxSelect, WiringSelect } from './choices.tsx'

type Row = Of<typeof LampLine>

/** The lamps that have controllers of their own, one by one. */
export function LampList() {
  const remove = useRemove(LAMP_CHANGES)
  const [asked, setAsked] = useState<Row | 'new'>()
  return (
    <>
      <ListScreen
        title={['单灯', 'Lamps']}
        purpose={['装有单灯控制器的灯：每盏的亮度、故障与亮灯时长', 'Lamps with controllers of their own: dim level, faults and hours lit of each']}
        query={lamp.query}
        search={lampSearch}
        exports={lamp.export}
        find={[
          { name: 'wiringCode', control: <WiringSelect />, label: ['回路', 'Circuit'] },
          'state',
          'lampNo',
          'poleNo',
          { name: 'boxCode', control: <BoxSelect />, label: ['配电箱', 'Box'] },
          'regionCode',
        ]}
        sum={{
          figures: [
            { text: ['亮', 'lit'], leads: { state: [LampState.lit, LampState.dimmed] } },
            { text: ['灭', 'dark'], leads: { state: [LampState.dark] } },
            { text: ['故障', 'faulty'], leads: { state: [LampState.faulty] } },
            { text: ['未知', 'unknown'], leads: { state: [LampState.unknown] } },
          ],
        }}
        columns={[
          'lampNo',
          'wiringCode',
          'wiringName',
          'poleNo',
          'state',
          'dim',
          'p',
          'ratedPowerW',
          'lifeHours',
          'readAt',
          'boxCode',
          'regionCode',
          'lng',
          'lat',
          'remark',
        ]}
        hidden={['boxCode', 'regionCode', 'lng', 'lat', 'remark']}
        roomy={['wiringName', 'readAt']}
        live={LAMP_TOPIC}
        add={{ call: lamp.add, open: () => setAsked('new') }}
        toolbar={<ImportButton call={lamp.import} changes={LAMP_CHANGES} />}
        empty={['还没有单灯：在回路下逐盏新增，或导入表格', 'No lamps yet: add them to their circuits one by one, or import a sheet']}
        actions={(row) => [
          { text: Label.edit, needs: lamp.update.needs, run: () => setAsked(row) },
          {
            text: Label.delete,
            needs: lamp.delete.needs,
            danger: true,
            run: () => void remove(lamp.delete, { id: row.id, version: row.version }, row.lampNo),
          },
        ]}
      />
      {asked && <LampForm of={asked === 'new' ? undefined : asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}

function LampForm({ of, onClose }: { of: Row | undefined; onClose: () => void }) {
  const shared = { entity: Lamp, changes: LAMP_CHANGES, onClose }
  const data = [
    { name: 'wiringCode', control: <WiringSelect /> },
    'ratedPowerW',
    { name: 'poleNo', optional: true },
    { name: 'lng', optional: true },
    { name: 'lat', optional: true },
    { name: 'remark', optional: true },
  ] as const
  if (!of) return <FormDialog {...shared} mode="new" value={{ ratedPowerW: 120 }} save={lamp.add} fields={['lampNo', ...data]} />
  const { id, version, wiringCode, ratedPowerW, poleNo, lng, lat, remark } = of
  return (
    <FormDialog
      {...shared}
      mode="edit"
      value={{ id, version, wiringCode, ratedPowerW, poleNo, lng, lat, remark }}
      save={lamp.update}
      fields={[...data]}
    />
  )
}
