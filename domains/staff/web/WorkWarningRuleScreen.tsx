import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { Label, useAct } from '../../../platform/web/form/remove.tsx'
import { useText } from '../../../platform/web/text.ts'
import { ruleSearch, type WarningRule, warningRule, WorkRule } from '../contract/workWarning.ts'

type Row = Of<typeof WarningRule>
const CHANGES = [warningRule.query]

/** When somebody at work should be asked about, and whether the leader is told. The eight rules are fixed. */
export default function WorkWarningRuleScreen() {
  const say = useText()
  const act = useAct(CHANGES)
  const [changing, change] = useState<Row>()
  const turn = ({ rule, version, enabled }: Row) =>
    void act(
      warningRule.update,
      { rule, version, enabled: !enabled },
      { done: enabled ? ['已停用，未结束的预警随即结束', 'Disabled: running warnings end now'] : ['已启用', 'Enabled'] },
    )
  const named = ({ rule }: Row) => say(WorkRule.entries[rule])
  return (
    <>
      <ListScreen
        purpose={[
          '八条固定规则的阈值、级别与通知；修改只影响此后的预警',
          'Thresholds, levels and notices of the eight fixed rules; changes apply to later warnings only',
        ]}
        query={warningRule.query}
        search={ruleSearch}
        rowKey="rule"
        find={['rule', 'enabled']}
        columns={['rule', 'enabled', 'thresholdMin', 'distM', 'people', 'level', 'notify', 'silenceMin', 'updatedAt']}
        actions={(row) => [
          { text: Label.edit, needs: warningRule.update.needs, run: () => change(row) },
          { text: row.enabled ? Label.disable : Label.enable, needs: warningRule.update.needs, run: () => turn(row) },
        ]}
      />
      {changing && (
        <FormDialog
          title={[`设置规则 · ${named(changing)}`, `Set rule · ${named(changing)}`]}
          entity={warningRule.update.input as never}
          mode="edit"
          value={changing as never}
          save={warningRule.update}
          changes={CHANGES}
          fields={
            [
              'enabled',
              { name: 'thresholdMin', help: ['持续超过多久才预警', 'How long it must last before a warning'] },
              ...(changing.distM === null ? [] : ['distM']),
              ...(changing.people === null ? [] : ['people']),
              'level',
              'notify',
              {
                name: 'silenceMin',
                help: [
                  '结束后这段时间内再次发生，计入同一条，不再通知',
                  'A repeat within this time counts as the same warning, without another notice',
                ],
              },
            ] as never
          }
          onClose={() => change(undefined)}
        />
      )}
    </>
  )
}
