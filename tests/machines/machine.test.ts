import { expect, test } from 'vitest'
import { exercise, type Machine } from './machine.ts'

interface Lamp {
  on: boolean
  broken: boolean
}
/** A lamp that is switched on even when it is broken, or that forgets to say so: what a handler without its guard does. */
const lamp = (fault: 'none' | 'unguarded' | 'silent'): Machine<Lamp, Lamp> => ({
  name: 'lamp',
  life: 12,
  fresh: async () => ({ model: { on: false, broken: false }, real: { on: false, broken: false } }),
  look: async (real) => ({ ...real }),
  moves: [
    {
      name: 'switch on',
      async does(real) {
        if (real.broken && fault !== 'unguarded') return fault === 'silent' ? 200 : 409
        real.on = true
        return 200
      },
      allowed: (model) => !model.broken && (model.on = true),
    },
    {
      name: 'break',
      does: async (real) => (Object.assign(real, { on: false, broken: true }), 200),
      allowed: (model) => (Object.assign(model, { on: false, broken: true }), true),
    },
  ],
})

test('the harness sees a move that nobody guards, and a refusal that nobody hears of', async () => {
  await expect(exercise(lamp('none'))).resolves.toMatchObject({ steps: expect.any(Number) })
  await expect(exercise(lamp('unguarded'))).rejects.toThrow(/switch on/)
  await expect(exercise(lamp('silent'))).rejects.toThrow(/switch on/)
})
