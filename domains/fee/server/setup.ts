import type { Instant } from '../../../platform/contract/field.ts'
import type { Tx } from '../../../platform/server/database.ts'
import type { Tariff } from '../contract/tariff.ts'
import { gapsOf, withFreeGaps } from './catalogue.ts'
import { tariffOfPublished } from './published.ts'
import { insertDraft, publishVersion } from './version.ts'

/** A rule from a tariff (ours, or as published), published at once: for imports and demo data. Gaps become free hours. */
export async function publishTariff(
  tx: Tx,
  { name, tariff, published, vehicleClasses = [], priority = 0, from, by = 'system', at }: {
    name: string
    tariff?: Tariff
    published?: unknown
    vehicleClasses?: readonly number[]
    priority?: number
    /** In force from then on. */
    from: Instant
    by?: string
    at: Instant
  }, // prettier-ignore
): Promise<{ ruleVersionId: string; ruleId: string }> {
  const plain = tariff ?? tariffOfPublished(published)
  const id = await insertDraft(tx, { name, tariff: withFreeGaps(plain, gapsOf(plain)), origin: published ?? tariff })
  await tx.updateTable('fee.rule').set({ vehicleClasses, priority } as never).where('id', '=', id as never).execute() // prettier-ignore
  await publishVersion(tx, id, { at, by, from })
  const { ruleId } = await tx
    .selectFrom('fee.rule')
    .select('ruleId')
    .where('id', '=', id as never)
    .executeTakeFirstOrThrow()
  return { ruleVersionId: id, ruleId }
}

/** Ties a rule to what is named; to everything without. */
export async function tieRule(
  tx: Tx,
  tie: { ruleId: string; parkCode?: string; areaCode?: string; sectionCode?: string; memberGroup?: string; carKind?: number },
): Promise<void> {
  await tx
    .insertInto('fee.associate')
    .values(tie as never)
    .execute()
}
