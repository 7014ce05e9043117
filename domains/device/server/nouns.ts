import type { Noun } from '../../../platform/server/nouns.ts'
import { Product } from '../contract/product.ts'

export const nouns: Noun[] = [{ table: 'device.product', label: ['设备产品', 'Product'], entity: Product }]
