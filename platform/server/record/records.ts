import { allDeeds } from '../../contract/call.ts'
import { deeds, records } from '../../contract/records.ts'
import { historyOfRecord } from './history.ts'
import { allKinds, holds, kindFor } from './kinds.ts'
import { labelOf } from './nouns.ts'
import { hiddenFrom } from '../call/personal.ts'
import { serve } from '../serve.ts'

/** Answers of one kind to what was typed. */
const FOUND_MOST = 5

export const calls = [
  ...serve(deeds, { all: async () => ({ deeds: allDeeds() }) }),
  ...serve(records, {
    history: ({ tx, input, actor }) => historyOfRecord(tx, kindFor(actor, input.kind), input.key, hiddenFrom(actor)),
    async find({ tx, input, actor }) {
      const words = input.words.trim()
      const asked = allKinds().filter(({ find, needs }) => find && holds(actor, needs))
      const answers = await Promise.all(
        asked.map(async (kind) => {
          const [kindZh, kindEn] = labelOf(kind)
          return (await kind.find!(tx, words, FOUND_MOST, hiddenFrom(actor))).map((one) => ({ kind: kind.table, kindZh, kindEn, ...one }))
        }),
      )
      return answers.flat()
    },
  }),
]
