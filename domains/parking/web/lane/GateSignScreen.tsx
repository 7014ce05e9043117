import { Button, Table } from 'antd'
import { useState } from 'react'
import type { Of } from '../../../../platform/contract/field.ts'
import { Section } from '../../../../platform/web/record/DetailDrawer.tsx'
import { FormDialog } from '../../../../platform/web/form/FormDialog.tsx'
import { NONE } from '../../../../platform/web/format.ts'
import { ListScreen } from '../../../../platform/web/list/ListScreen.tsx'
import { can } from '../../../../platform/web/person.ts'
import { Label, useAct } from '../../../../platform/web/form/remove.tsx'
import { useText } from '../../../../platform/web/text.ts'
import { State } from '../../../../platform/web/value.tsx'
import { gate, type GateDetail, gateSearch, SignColor, SignEvent, SignProgram } from '../../contract/gate.ts'
import { park } from '../../contract/park.ts'
import { GATE_CHANGES } from '../stay/changes.ts'
import { findPark, GateName, ParkName } from '../api/names.tsx'
import { LedLines, LedText } from './OpenGate.tsx'
import { EditRemainder } from '../place/ParkForm.tsx'
import { useParkNow } from '../place/useParkNow.ts'
import { LANE_TOPIC } from './useBoards.ts'
import '../parking.css'

type Row = Of<typeof GateDetail>
type Program = Of<typeof SignProgram>
type Doing = { what: 'text' | 'bays'; of: Row }

/** Texts of the lanes' signs: at each event, and right now; and the free bays that they count down. */
export default function GateSignScreen() {
  const say = useText()
  const [doing, setDoing] = useState<Doing>()
  return (
    <>
      <ListScreen
        purpose={[
          '每条通道的 LED 屏在空闲、入场、缴费时显示什么；也可临时显示文字、修正余位',
          'What each lane’s LED sign shows when idle, on entry and on payment; you can also show a text now or correct free bays',
        ]}
        query={gate.queryPage}
        search={gateSearch}
        find={[findPark, 'direction', 'name', 'gateCode', 'status']}
        rowKey="gateCode"
        columns={[
          'name',
          { dataIndex: 'parkCode', title: say(['车场', 'Car park']), render: (_, row) => <ParkName code={row.parkCode} /> },
          'gateCode',
          'direction',
          { dataIndex: 'ledId', render: (_, row) => row.ledId ?? <span className="faint">{say(['道闸一体', 'Built into barrier'])}</span> },
          {
            dataIndex: 'online',
            render: (_, row) => (
              <span className={row.online ? 'state success' : 'state error'}>{say(row.online ? ['在线', 'Online'] : ['离线', 'Offline'])}</span>
            ),
          },
          {
            dataIndex: 'programs',
            title: say(['节目', 'Programmes']),
            render: (_, row) =>
              row.programs.map(({ event }) => say(SignEvent.entries[event])).join(say(['、', ', '])) || (
                <span className="faint">{say(['默认', 'Default'])}</span>
              ),
          },
        ]}
        roomy={['gateCode']}
        live={LANE_TOPIC}
        actions={(row) => [
          { text: ['显示文字', 'Show a text'], needs: gate.textToLed.needs, run: () => setDoing({ what: 'text', of: row }) },
          { text: ['修正余位', 'Correct free bays'], needs: park.editRemainder.needs, run: () => setDoing({ what: 'bays', of: row }) },
        ]}
        detail={{
          call: gate.gateDetail,
          input: (gateCode) => ({ gateCode }),
          head: (row) => <b>{row.name}</b>,
          body: (row) => <Programs of={row} />,
        }}
      />
      {doing?.what === 'text' && <LedText at={doing.of} onClose={() => setDoing(undefined)} />}
      {doing?.what === 'bays' && <FreeBays parkCode={doing.of.parkCode} onClose={() => setDoing(undefined)} />}
    </>
  )
}

function FreeBays({ parkCode, onClose }: { parkCode: string; onClose: () => void }) {
  const of = useParkNow(parkCode)
  return of ? <EditRemainder of={of} onClose={onClose} /> : null
}

/** Each event with the gate's own text for it. An event without one shows the lane's decision. */
function Programs({ of }: { of: Row }) {
  const say = useText()
  const act = useAct(GATE_CHANGES)
  const [editing, setEditing] = useState<Program>()
  const edits = can(gate.programSave.needs)
  const rows = (Object.keys(SignEvent.entries).map(Number) as Program['event'][]).map((event) => ({
    event,
    own: of.programs.find((one) => one.event === event),
  }))
  const drop = (event: Program['event']) =>
    void act(
      gate.programDelete,
      { id: of.id, version: of.version, event },
      { question: ['恢复默认文字？', 'Restore the default text?'], act: ['恢复默认', 'Restore default'], done: ['已恢复默认', 'Default restored'] },
    )
  return (
    <Section title={['显示节目', 'Programmes']}>
      <Table
        rowKey="event"
        size="small"
        pagination={false}
        dataSource={rows}
        columns={[
          { title: say(['时机', 'When']), render: (_, { event }) => say(SignEvent.entries[event]) },
          {
            title: say(['文字', 'Text']),
            render: (_, { own }) =>
              own?.lines.map((line, at) => <div key={at}>{line}</div>) ?? <span className="faint">{say(['默认', 'Default'])}</span>,
          },
          { title: say(['颜色', 'Colour']), render: (_, { own }) => (own ? <State dictionary={SignColor} value={own.color} /> : NONE) },
          { title: say(['秒数', 'Seconds']), align: 'right', render: (_, { own }) => own?.seconds ?? NONE },
          {
            title: '',
            render: (_, { event, own }) =>
              edits && (
                <>
                  <Button size="small" type="text" onClick={() => setEditing(own ?? { event, lines: [], color: SignColor.red, seconds: 20 })}>
                    {say(Label.edit)}
                  </Button>
                  {own && (
                    <Button size="small" type="text" onClick={() => drop(event)}>
                      {say(['恢复默认', 'Restore default'])}
                    </Button>
                  )}
                </>
              ),
          },
        ]}
      />
      {editing && <ProgramForm at={of} of={editing} onClose={() => setEditing(undefined)} />}
      <p className="faint">
        <GateName code={of.gateCode} /> {say(['的屏幕离线时，指令过期即作废', ': commands that expire while the sign is offline are dropped'])}
      </p>
    </Section>
  )
}

function ProgramForm({ at, of, onClose }: { at: Row; of: Program; onClose: () => void }) {
  return (
    <FormDialog
      title={[`${at.name} · ${SignEvent.entries[of.event][0]}`, `${at.name} · ${SignEvent.entries[of.event][1]}`]}
      entity={SignProgram}
      mode="edit"
      value={of}
      also={{ id: at.id, version: at.version, event: of.event }}
      save={gate.programSave}
      done={['已保存，下一辆车起显示', 'Saved; shown from the next car on']}
      changes={GATE_CHANGES}
      fields={[
        {
          name: 'lines',
          control: <LedLines />,
          help: [
            '最多4行，每行16字；{车牌} {金额} {车场} {广告} 显示时替换，没有广告的行不显示',
            'At most 4 lines of 16 characters; {车牌} shows the plate, {金额} the amount, {车场} the park, {广告} the advertisement in force; without one its line is left out',
          ],
        },
        'color',
        'seconds',
      ]}
      onClose={onClose}
    />
  )
}
