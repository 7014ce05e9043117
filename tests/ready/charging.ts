import type { Factories, Maker } from './maker.ts'
import { piles } from './pile.ts'

export const ready = (maker: Maker): Factories => ({ ...piles(maker) })
