import fc from 'fast-check'
import { expect } from 'vitest'

export const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
/** `STEPS=10000` goes on for longer. */
export const STEPS = Number(process.env['STEPS'] ?? 500)
/** A slow step on a busy machine. */
const STEP_MS = 300
/** The time limit of a machine's test, the longer the more steps it goes. */
export const LIFE_MS = Math.max(300_000, STEPS * STEP_MS)

/** A command says what happened (`200`, `409`, ...), and what the model says should have. The model is changed by it. */
export interface Move<Model, Real> {
  name: string
  does(real: Real, model: Model): Promise<number>
  /** Changes the model as the contract's table says; `false`: this is not allowed now. */
  allowed(model: Model): boolean
}
export interface Machine<Model, Real> {
  name: string
  /** Commands in one life of the thing; then it begins anew. */
  life: number
  moves: Move<Model, Real>[]
  fresh(): Promise<{ model: Model; real: Real }>
  /** As the model sees it, read from the database. */
  look(real: Real): Promise<Partial<Model>>
}
/** Statuses of a refusal: by a state that forbids the step, or by a rule. */
const REFUSED = new Set([409, 422])

/** Commands in any order: after each, the database is what the model says, and what the table forbids is refused. Answers how many steps and how many refusals. */
export async function exercise<Model extends object, Real>(machine: Machine<Model, Real>): Promise<{ steps: number; refused: number }> {
  let steps = 0
  let refused = 0
  const command = ({ name, does, allowed }: Move<Model, Real>): fc.AsyncCommand<Model, Real> => ({
    check: () => steps < STEPS,
    toString: () => name,
    async run(model, real) {
      const before = structuredClone(model)
      const status = await does(real, model)
      const may = allowed(model)
      steps++
      if (!may) refused++
      const said = status === 200 ? 'done' : REFUSED.has(status) ? 'refused' : String(status)
      expect([machine.name, before, name, said]).toEqual([machine.name, before, name, may ? 'done' : 'refused'])
      const found = await machine.look(real)
      expect([machine.name, before, name, found]).toEqual([machine.name, before, name, may ? pick(model, found) : pick(before, found)])
    },
  })
  const lives = Math.ceil(STEPS / machine.life)
  await fc.assert(
    fc.asyncProperty(
      fc.commands(
        machine.moves.map((move) => fc.constant(command(move))),
        { maxCommands: machine.life, size: 'max' },
      ),
      async (commands) => {
        await fc.asyncModelRun(() => machine.fresh(), commands)
      },
    ),
    { numRuns: lives * 4, seed: SEED, endOnFailure: true },
  )
  return { steps, refused }
}
const pick = <Model extends object>(model: Model, like: Partial<Model>): Partial<Model> =>
  Object.fromEntries(Object.keys(like).map((name) => [name, model[name as keyof Model]])) as Partial<Model>
