import { useState } from 'react'
import type { Of } from '../../../../platform/contract/field.ts'
import { FormDialog } from '../../../../platform/web/form/FormDialog.tsx'
import { ListScreen } from '../../../../platform/web/list/ListScreen.tsx'
import { useAct } from '../../../../platform/web/form/remove.tsx'
import { filing } from '../../contract/filing.ts'
import { FilingStatus, park, type ParkNow, parkSearch } from '../../contract/park.ts'
import { recordSheet } from '../../contract/recordSheet.ts'
import { PARK_CHANGES } from '../stay/changes.ts'
import { ParkName } from '../api/names.tsx'
import '../parking.css'

type Row = Of<typeof ParkNow>
type Doing = { what: 'pass' | 'reject'; of: Row }
const MAY_APPLY: readonly number[] = [FilingStatus.none, FilingStatus.rejected, FilingStatus.expired]

/** Which parks are registered with the authority, until when, and which wait for a decision. */
export default function FilingScreen() {
  const act = useAct(PARK_CHANGES)
  const [doing, setDoing] = useState<Doing>()
  const apply = ({ id, version, name }: Row) =>
    void act(
      filing.apply,
      { id, version },
      {
        question: [`提交「${name}」的备案？提交后由他人审核。`, `Submit the filing of “${name}”? Another person will review it.`],
        act: ['提交备案', 'Submit filing'],
        done: ['已提交，待审核', 'Submitted; waiting for review'],
      },
    )
  return (
    <>
      <ListScreen
        purpose={['车场在主管部门的备案：提交、审核与到期', 'Car park filings with the authority: submission, review and expiry']}
        query={park.queryPage}
        search={parkSearch}
        exports={recordSheet.parks}
        find={['name', 'filingStatus', 'regionCode', 'parkCode']}
        rowKey="parkCode"
        sum={{
          figures: [
            { text: ['待审', 'to review'], leads: { filingStatus: [FilingStatus.underReview] } },
            { text: ['未备案', 'not filed'], leads: { filingStatus: [FilingStatus.none] } },
            { text: ['过期', 'expired'], leads: { filingStatus: [FilingStatus.expired] } },
          ],
        }}
        columns={[
          { dataIndex: 'name', render: (_, row) => <ParkName code={row.parkCode} /> },
          'parkCode',
          'filingStatus',
          'filingNo',
          'filingUntil',
          'regionCode',
          'address',
          'totalBays',
          'phone',
        ]}
        hidden={['phone']}
        roomy={['address']}
        live="parking.park"
        actions={(row) => [
          {
            text: ['提交备案', 'Submit filing'],
            needs: filing.apply.needs,
            run: () => apply(row),
            not: !MAY_APPLY.includes(row.filingStatus) && ['已提交或已备案', 'Already submitted or filed'],
          },
          ...(row.filingStatus === FilingStatus.underReview
            ? [
                { text: ['通过', 'Approve'] as const, needs: filing.decide.needs, run: () => setDoing({ what: 'pass' as const, of: row }) },
                {
                  text: ['驳回', 'Reject'] as const,
                  needs: filing.decide.needs,
                  run: () => setDoing({ what: 'reject' as const, of: row }),
                  danger: true,
                },
              ]
            : []),
        ]}
        history={{ kind: 'parking.park', restore: park.update, changes: PARK_CHANGES }}
      />
      {doing && <Decide {...doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

function Decide({ what, of, onClose }: Doing & { onClose: () => void }) {
  const common = { entity: filing.decide.input, save: filing.decide, changes: PARK_CHANGES, mode: 'edit', onClose } as const
  if (what === 'pass')
    return (
      <FormDialog
        {...common}
        title={[`通过备案 · ${of.name}`, `Approve the filing · ${of.name}`]}
        fields={[{ name: 'filingNo', help: ['主管部门核发的编号', 'The number issued by the authority'] }, 'filingUntil']}
        value={{ ...(of.filingNo && { filingNo: of.filingNo }) }}
        also={{ id: of.id, version: of.version, pass: true }}
        act={['确认通过', 'Approve']}
        done={['已备案', 'Filed']}
      />
    )
  return (
    <FormDialog
      {...common}
      title={[`驳回备案 · ${of.name}`, `Reject the filing · ${of.name}`]}
      fields={[{ name: 'reason', help: ['提交人据此补正', 'Tells the submitter what to correct'] }]}
      value={{}}
      also={{ id: of.id, version: of.version, pass: false }}
      act={['确认驳回', 'Reject']}
      done={['已驳回', 'Rejected']}
    />
  )
}
