import type { Noun } from '../../../platform/server/record/nouns.ts'
import { Sample } from '../contract/sample.ts'
import { WallLink } from '../contract/wall.ts'

export const nouns: Noun[] = [
  { table: 'dashboard.sample', entity: Sample },
  { table: 'dashboard.wall_link', entity: WallLink },
]
