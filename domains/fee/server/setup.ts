import type { CodeOf, Instant } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import type { TiedKind } from '../contract/associate.ts'
import { RuleStatus } from '../contract/rule.ts'
import type { Tariff } from '../contract/tariff.ts'
import { gapsOf, withFreeGaps } from './catalogue.ts'
import { draftFrom } from './draft.ts'
import { tariffOfPublished } from './published.ts'
import { insertDraft, publishVersion } from './version.ts'
import { SYSTEM } from '../../../platform/contract/said.ts'

/** A rule from a tariff (ours, or as published), published at once: for imports and demo data. Gaps become free hours. */
export async function publishTariff(
  tx: Tx,
  {
    name,
    tariff,
    published,
    vehicleClasses = [],
    priority = 0,
    from,
    by = SYSTEM,
    at,
  }: {
    name: string
    tariff?: Tariff
    published?: unknown
    vehicleClasses?: readonly number[]
    priority?: number
    /** In force from then on. */
    from: Instant
    by?: string
    at: Instant
  },
): Promise<{ ruleVersionId: string; ruleId: string }> {
  const plain = tariff ?? tariffOfPublished(published)
  const id = await insertDraft(tx, draftFrom({ name, tariff: withFreeGaps(plain, gapsOf(plain)), origin: published ?? tariff }))
  await tx
    .updateTable('fee.rule')
    .set({ vehicleClasses, priority } as never)
    .where('id', '=', id as never)
    .execute()
  await publishVersion(tx, id, { at, by, from })
  const { ruleId } = await tx.selectFrom('fee.rule').select('ruleId').where('id', '=', id).executeTakeFirstOrThrow()
  return { ruleVersionId: id, ruleId }
}

/** The tariff of a park for one kind of pass; `null` takes it away, and the park's own is for them again. */
export async function tieGroup(
  tx: Tx,
  { memberGroup, parkCode, ruleId }: { memberGroup: string; parkCode: string; ruleId: string | null },
): Promise<void> {
  await tx.deleteFrom('fee.associate').where('memberGroup', '=', memberGroup).where('parkCode', '=', parkCode).execute()
  if (ruleId) await tieRule(tx, { ruleId, parkCode, memberGroup })
}
/** Returns the rules tied to a kind of pass, park by park. */
export const tiesOfGroup = (tx: Tx, memberGroup: string): Promise<{ parkCode: string; ruleId: string; ruleName: string }[]> =>
  run(tx, { sql: TIES }, [memberGroup])
const TIES = `select distinct on (a.park_code) a.park_code, a.rule_id, r.name as rule_name from fee.associate a join fee.rule r on r.enterprise_id = a.enterprise_id and r.rule_id = a.rule_id
  where a.enterprise_id = scope_enterprise() and a.member_group = $1 and a.park_code is not null order by a.park_code, r.version_no desc`
export const isRule = async (tx: Tx, ruleId: string): Promise<boolean> =>
  (
    await run(tx, { sql: 'select 1 from fee.rule where enterprise_id = scope_enterprise() and rule_id = $1 and status = $2 limit 1' }, [
      ruleId,
      RuleStatus.published,
    ])
  ).length > 0

/** Ties a rule to the named places; without any, to everything. */
export async function tieRule(
  tx: Tx,
  tie: { ruleId: string; parkCode?: string; areaCode?: string; sectionCode?: string; memberGroup?: string; carKind?: CodeOf<typeof TiedKind> },
): Promise<void> {
  await tx.insertInto('fee.associate').values(tie).execute()
}
