import { plural } from '../../../../platform/contract/plural.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Of } from '../../../../platform/contract/field.ts'
import { asks } from '../../../../platform/web/ask.ts'
import { FormDialog } from '../../../../platform/web/form/FormDialog.tsx'
import { NONE } from '../../../../platform/web/format.ts'
import { ListScreen } from '../../../../platform/web/list/ListScreen.tsx'
import { useText } from '../../../../platform/web/text.ts'
import { Label } from '../../../../platform/web/form/remove.tsx'
import { callOut, type CallOut, callOutSearch, CallResult } from '../../contract/callOut.ts'
import { CHOOSE, GateName, GateSelect, ParkName, ParkSelect, useGates, useParks } from '../api/names.tsx'
import '../parking.css'

type Row = Of<typeof CallOut>
const CHANGES = [callOut.search, callOut.figures]

/** Calls for help at the lanes: by whom, how long it rang, and what was done. */
export default function CallOutScreen() {
  const say = useText()
  const [doing, setDoing] = useState<{ of?: Row }>()
  return (
    <>
      <ListScreen
        purpose={['车道求助呼叫：接听用时、处理结果与关联的停车记录', 'Help calls from lanes: time to answer, result and related stay']}
        query={callOut.search}
        search={callOutSearch}
        find={[
          { name: 'gateCode', control: <GateSelect /> },
          'result',
          'startAt',
          'agent',
          { name: 'parkCode', label: ['车场', 'Car park'], control: <ParkSelect /> },
          'source',
        ]}
        sum={{ figures: [{ text: ['无人接听', 'not answered'], leads: { result: [CallResult.unanswered] } }] }}
        columns={[
          'startAt',
          { dataIndex: 'parkCode', title: say(['车场', 'Car park']), render: (_, row) => <ParkName code={row.parkCode} /> },
          { dataIndex: 'gateCode', title: say(['通道', 'Lane']), render: (_, row) => <GateName code={row.gateCode} /> },
          'result',
          'waitSec',
          'agent',
          {
            dataIndex: 'stayId',
            render: (_, row) =>
              row.stayId ? (
                <Link to={`/operation/record/parking/parkingRecord/${row.stayId}`} onClick={(event) => event.stopPropagation()}>
                  {say(Label.view)}
                </Link>
              ) : (
                <span className="faint">{NONE}</span>
              ),
          },
          'source',
          'caller',
          'endAt',
          {
            dataIndex: 'recordUrl',
            render: (_, row) =>
              row.recordUrl ? (
                <a href={row.recordUrl} target="_blank" rel="noopener noreferrer" onClick={(event) => event.stopPropagation()}>
                  {say(['播放', 'Play'])}
                </a>
              ) : (
                <span className="faint">{NONE}</span>
              ),
          },
          'remark',
        ]}
        hidden={['caller', 'endAt', 'remark']}
        roomy={['agent', 'source']}
        add={{ call: callOut.insert, open: () => setDoing({}), text: ['登记呼叫', 'Record a call'] }}
        toolbar={({ criteria }) => <Figures criteria={criteria} />}
        actions={(row) => [{ text: ['登记处理', 'Record the result'], needs: callOut.insert.needs, run: () => setDoing({ of: row }) }]}
        empty={[
          '还没有呼叫记录。呼叫中心接入后自动记录，也可手工登记。',
          'No calls yet. Once the call centre is connected, calls are recorded automatically; you can also record them by hand.',
        ]}
      />
      {doing && <Record {...doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

/** Of the calls that the filter leaves. */
function Figures({ criteria }: { criteria: Record<string, unknown> }) {
  const say = useText()
  const { gateCode, parkCode, startAtFrom, startAtTo } = criteria
  const { data } = useQuery(asks(callOut.figures, { gateCode, parkCode, startAtFrom, startAtTo } as never, { quiet: true }))
  const share = data && data.calls > 0 ? Math.round((data.answeredIn * 1000) / data.calls) / 10 : undefined
  return (
    <span className="faint" aria-live="polite">
      {say([
        `来电 ${data?.calls ?? NONE} · 20 秒内接听 ${share === undefined ? NONE : `${share} %`}`,
        `${data?.calls ?? NONE} ${plural(data?.calls, 'call')} · answered within 20 s: ${share === undefined ? NONE : `${share} %`}`,
      ])}
    </span>
  )
}

function Record({ of, onClose }: { of?: Row; onClose: () => void }) {
  const parks = useParks()
  const gates = useGates()
  const place = of && [
    parks.find((one) => one.parkCode === of.parkCode)?.name,
    gates.find((one) => one.gateCode === of.gateCode)?.name ?? of.gateCode,
  ]
  const where = place?.filter(Boolean).join(' · ')
  return (
    <FormDialog
      title={where ? [`登记处理 · ${where}`, `Record the result · ${where}`] : ['登记呼叫', 'Record a call']}
      entity={callOut.insert.input}
      mode="new"
      fields={[
        ...(of ? [] : ([{ name: 'gateCode', label: ['通道', 'Lane'], control: <GateSelect empty={CHOOSE} /> }] as const)),
        'result',
        { name: 'remark', optional: true },
      ]}
      value={of ? { ...(of.result && { result: of.result }) } : {}}
      also={of ? { callId: of.callId, gateCode: of.gateCode } : {}}
      save={callOut.insert}
      done={['已登记', 'Recorded']}
      changes={CHANGES}
      onClose={onClose}
    />
  )
}
