import { mayWiden, type Tx } from './database.ts'

export interface Question<In, Out> {
  name: string
  /** Registers an answerer once, at start. `undefined` means: no answer. The returned function removes the answerer again. */
  answer(by: string, answerer: (tx: Tx, input: In) => Promise<Out | undefined>): () => void
  /** All answers, in the order in which they were registered. */
  ask(tx: Tx, input: In): Promise<{ by: string; answer: Out }[]>
  answeredBy(): string[]
}

/** Asks a higher domain something at once, in the same transaction. */
export function question<In, Out>(name: string): Question<In, Out> {
  const answerers = new Map<string, (tx: Tx, input: In) => Promise<Out | undefined>>()
  return {
    name,
    answer(by, answerer) {
      answerers.set(by, answerer)
      return () => void answerers.delete(by)
    },
    async ask(tx, input) {
      const one = async ([by, answerer]: [string, (tx: Tx, input: In) => Promise<Out | undefined>]) => ({ by, answer: await answerer(tx, input) })
      // An answer that looks at all parks has the transaction to itself: where one may, each waits for the one before.
      const answers = mayWiden(tx) ? await inTurn([...answerers], one) : await Promise.all([...answerers].map(one))
      return answers.filter((one): one is { by: string; answer: Awaited<Out> } => one.answer !== undefined) as { by: string; answer: Out }[]
    },
    answeredBy: () => [...answerers.keys()],
  }
}

async function inTurn<A, B>(all: readonly A[], work: (one: A) => Promise<B>): Promise<B[]> {
  const done: B[] = []
  for (const one of all) done.push(await work(one))
  return done
}
