import type { Noun } from '../../../platform/server/record/nouns.ts'
import { yes } from '../../../platform/contract/field.ts'
import { Etc } from '../contract/etc.ts'
import { WarningRule } from '../contract/warningRule.ts'
import { Product } from '../contract/product.ts'

export const nouns: Noun[] = [
  { table: 'device.product', entity: Product },
  { table: 'device.etc', label: Etc.label, entity: Etc, also: { disabled: yes('停用', 'Out of service') } },
  { table: 'device.warning_rule', label: WarningRule.label, entity: WarningRule },
]
