import { QrcodeOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { useQuery } from '@tanstack/react-query'
import { Facts, Section as Block } from '../../../platform/web/record/DetailDrawer.tsx'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ImportDialog } from '../../../platform/web/sheet/ImportDialog.tsx'
import { type Column, ListScreen, type RowAction } from '../../../platform/web/list/ListScreen.tsx'
import { can } from '../../../platform/web/person.ts'
import { QrDialog } from '../../../platform/web/draw/Qr.tsx'
import { Label, useRemove } from '../../../platform/web/form/remove.tsx'
import { type Say, useText } from '../../../platform/web/text.ts'
import { Plate, State, Time } from '../../../platform/web/value.tsx'
import { CHOOSE } from '../../parking/web/api/names.tsx'
import { Berth, berth, BerthDetail, type BerthNow, berthSearch, BerthType, ChargeType, Detector, Occupy } from '../contract/berth.ts'
import { BERTH_CHANGES } from './changes.ts'
import { DistrictName, DistrictSelect, SectionName, SectionSelect } from './api/names.tsx'

type Row = Of<typeof BerthNow>
type Doing = { what: 'new' | 'import'; of?: undefined } | { what: 'edit' | 'bind' | 'qr'; of: Row }

/** The berths with their printed codes and the devices that watch them. */
export default function BerthScreen() {
  const say = useText()
  const remove = useRemove(BERTH_CHANGES)
  const [doing, setDoing] = useState<Doing>()
  const close = () => setDoing(undefined)
  return (
    <>
      <ListScreen
        purpose={['地面上的每个泊位：编号、位置、二维码和检测设备', 'Every berth on the street: code, location, QR code and detectors']}
        query={berth.find}
        search={berthSearch}
        exports={berth.export}
        find={[
          { name: 'parkCode', control: <DistrictSelect />, label: ['片区', 'District'] },
          { name: 'sectionCode', control: <SectionSelect />, label: ['路段', 'Section'] },
          'seatCode',
          'occupy',
          'bindState',
          'type',
          'chargeType',
          'status',
          'berthNo',
        ]}
        sum={{
          figures: [
            { text: ['占用', 'occupied'], leads: { occupy: [Occupy.occupied] } },
            { text: ['空闲', 'free'], leads: { occupy: [Occupy.free] } },
            { text: ['异常', 'abnormal'], leads: { occupy: [Occupy.abnormal] } },
            { text: ['停用', 'disabled'], leads: { occupy: [Occupy.disabled] } },
          ],
        }}
        columns={columnsOf(say)}
        hidden={['lng', 'lat', 'areaCode', 'remark', 'chargeType', 'arrivedAt', 'status']}
        roomy={['type', 'plateNo', 'berthNo']}
        live="roadside.berth"
        add={{ call: berth.add, open: () => setDoing({ what: 'new' }) }}
        toolbar={can(berth.import.needs) && <Button onClick={() => setDoing({ what: 'import' })}>{say(Label.import)}</Button>}
        actions={(row) => actionsOf(row, setDoing, remove)}
        detail={{
          call: berth.one,
          head: (row) => (
            <>
              <b>{row.seatCode}</b> <span className="faint">{row.berthNo}</span> <State dictionary={Occupy} value={row.occupy} />
            </>
          ),
          act: (row) => (
            <Button icon={<QrcodeOutlined />} onClick={() => setDoing({ what: 'qr', of: row })}>
              {say(['二维码', 'QR code'])}
            </Button>
          ),
          body: (row) => <BerthStory row={row} />,
        }}
      />
      {doing?.what === 'import' && <Import onClose={close} />}
      {doing?.what === 'qr' && <Code of={doing.of} onClose={close} />}
      {doing?.what === 'bind' && <Bind of={doing.of} onClose={close} />}
      {doing?.what === 'edit' && <BerthForm of={doing.of} onClose={close} />}
      {doing?.what === 'new' && <BerthForm onClose={close} />}
    </>
  )
}

const columnsOf = (say: Say): Column<Row>[] => [
  'seatCode',
  'berthNo',
  { dataIndex: 'sectionCode', title: say(['路段', 'Section']), render: (_, row) => <SectionName code={row.sectionCode} /> },
  { dataIndex: 'parkName', render: (_, row) => <DistrictName code={row.parkCode} /> },
  'occupy',
  'plateNo',
  'arrivedAt',
  'detector',
  'type',
  'chargeType',
  'status',
  'lng',
  'lat',
  'areaCode',
  'remark',
]

const actionsOf = (row: Row, setDoing: (doing: Doing) => void, remove: ReturnType<typeof useRemove>): RowAction[] => [
  { text: ['二维码', 'QR code'], needs: berth.qrCode.needs, run: () => setDoing({ what: 'qr', of: row }) },
  { text: ['设备', 'Device'], needs: berth.bindPost.needs, run: () => setDoing({ what: 'bind', of: row }) },
  { text: Label.edit, needs: berth.edit.needs, run: () => setDoing({ what: 'edit', of: row }) },
  {
    text: Label.delete,
    needs: berth.remove.needs,
    run: () => void remove(berth.remove, { ids: [row.id] }, row.seatCode, { kind: 'roadside.berth', key: row.id }),
    danger: true,
  },
]

function BerthStory({ row }: { row: Of<typeof BerthDetail> }) {
  const say = useText()
  return (
    <>
      <Facts
        entity={BerthDetail}
        of={row}
        show={[
          { label: ['片区', 'District'], value: <DistrictName code={row.parkCode} /> },
          { label: ['路段', 'Section'], value: <SectionName code={row.sectionCode} /> },
          {
            label: ['在停', 'Parked now'],
            value: row.stayId ? (
              <>
                {row.plateNo ? <Plate number={row.plateNo} color={row.plateColor} /> : say(['待补录车牌', 'Plate not known yet'])}{' '}
                <Time at={row.arrivedAt} />
              </>
            ) : (
              say(['空', 'Free'])
            ),
          },
          'type',
          'chargeType',
          'status',
          'lng',
          'lat',
          'versionNo',
          'updatedAt',
          'remark',
        ]}
      />
      <Block title={['检测设备', 'Devices']}>
        {row.bindings.length === 0 && <p className="faint">{say(['还没有绑定设备', 'No device bound yet'])}</p>}
        {row.bindings.map(({ deviceNo, kind, fromAt }) => (
          <p key={deviceNo}>
            <b>{deviceNo}</b> <State dictionary={Detector} value={kind} /> <span className="faint">{say(['自', 'since'])}</span> <Time at={fromAt} />
          </p>
        ))}
      </Block>
    </>
  )
}

const FACTS = ['berthNo', 'type', 'chargeType', 'lng', 'lat', 'remark'] as const
/** A berth's code is painted on the ground: it stays what it is. */
function BerthForm({ of, onClose }: { of?: Row; onClose: () => void }) {
  const shared = { entity: Berth, changes: BERTH_CHANGES, onClose }
  if (of) return <FormDialog {...shared} mode="edit" value={of} save={berth.edit} done={['已保存', 'Saved']} fields={[...FACTS, 'status']} />
  return (
    <FormDialog
      {...shared}
      mode="new"
      value={{ type: BerthType.ordinary, chargeType: ChargeType.charged }}
      save={berth.add}
      done={['已新增', 'Added']}
      fields={[
        { name: 'parkCode', label: ['片区', 'District'], control: <DistrictSelect empty={CHOOSE} /> },
        { name: 'sectionCode', label: ['路段', 'Section'], control: <SectionSelect empty={CHOOSE} /> },
        {
          name: 'seatCode',
          help: ['喷在地面的编号；不可再改，也不会再用于别的泊位', 'As painted on the ground; it cannot be changed or reused'],
        },
        ...FACTS,
      ]}
    />
  )
}

/** A sheet is of one district. */
function Import({ onClose }: { onClose: () => void }) {
  const say = useText()
  const [parkCode, setParkCode] = useState<string>()
  return (
    <ImportDialog
      call={berth.import as never}
      changes={BERTH_CHANGES}
      form={
        <label className="import-of">
          {say(['片区', 'District'])} <DistrictSelect empty={CHOOSE} value={parkCode} onChange={setParkCode} />
        </label>
      }
      also={parkCode ? { parkCode } : undefined}
      onClose={onClose}
    />
  )
}

function Code({ of: { parkCode, seatCode, berthNo }, onClose }: { of: Row; onClose: () => void }) {
  const { data } = useQuery(asks(berth.qrCode, { parkCode, seatCode }))
  if (!data) return null
  const value = new URL(data.qrUrl, window.location.origin).href
  return (
    <QrDialog
      title={[`泊位 ${seatCode}`, `Berth ${seatCode}`]}
      value={value}
      fileName={`${parkCode}-${seatCode}`}
      caption={`${seatCode} ${berthNo} V${data.versionNo}`}
      onClose={onClose}
    />
  )
}

/** Puts a device on the berth; one of its kind that is there already only makes room when it is said. */
function Bind({ of: { parkCode, seatCode }, onClose }: { of: Row; onClose: () => void }) {
  return (
    <FormDialog
      title={[`绑定设备 · ${seatCode}`, `Bind device · ${seatCode}`]}
      entity={berth.bindPost.input}
      mode="new"
      value={{ parkCode, seatCode }}
      save={berth.bindPost}
      act={['确认', 'Confirm']}
      done={['已处理', 'Done']}
      changes={BERTH_CHANGES}
      fields={[
        'deviceNo',
        {
          name: 'replace',
          optional: true,
          help: ['同类设备已有时，以新换旧；在停的车不受影响', 'Replaces the device of the same type, if any; parked cars are not affected'],
        },
        { name: 'unbind', optional: true, help: ['从该泊位取下这台设备', 'Unbinds this device from the berth'] },
        { name: 'reason', optional: true },
      ]}
      onClose={onClose}
    />
  )
}
