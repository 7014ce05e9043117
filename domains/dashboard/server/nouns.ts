import type { Noun } from '../../../platform/server/nouns.ts'
import { Sample } from '../contract/sample.ts'

export const nouns: Noun[] = [{ table: 'dashboard.sample', entity: Sample }]
