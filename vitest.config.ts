import { defineConfig } from 'vitest/config'
import { LongFirst } from './tests/sequence.ts'

const ELSEWHERE = ['**/node_modules/**', '**/dist/**', '**/.data/**']
const WHOLE = 'tests/**/*'
const BROWSER = 'tests/**/*.browser.test.ts'

/** What is waited for comes within a second, and on a machine that is slow and shared some time later. */
const PATIENCE = { timeout: 20_000 }
const ASSERTED = { requireAssertions: true, poll: PATIENCE }

export default defineConfig({
  test: {
    globalSetup: './tests/support/global.ts',
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: LongFirst },
    // Both bound a hang: on a machine that is half as fast and shared, what takes 10 s here takes a minute.
    testTimeout: 120_000,
    // The demo city is filled within a minute, and in four where two other runs and a browser share the cores.
    hookTimeout: 480_000,
    projects: [
      {
        // One place of the house each. The house is loaded once for all of a worker's files: loading takes longer than most of them. What a file
        // declares (an answer to a question) it takes back.
        test: {
          name: 'places',
          include: ['**/*.test.ts', '**/*.test.tsx'],
          exclude: [...ELSEWHERE, WHOLE],
          isolate: false,
          expect: ASSERTED,
          sequence: { groupOrder: 0 },
        },
      },
      {
        // The whole house; some plant faults in it, so each file has one of its own.
        test: {
          name: 'whole',
          // What takes too long for every change runs in the soak alone.
          include: [`${WHOLE}.test.ts`, ...(process.env['SOAK'] ? [`${WHOLE}.soak.ts`] : [])],
          exclude: [...ELSEWHERE, BROWSER],
          // In a browser waiting for what has to be seen is the assertion.
          expect: ASSERTED,
          sequence: { groupOrder: 0 },
        },
      },
      {
        // After everything else: a Chromium, its server and its database take a core.
        test: {
          name: 'browser',
          include: [BROWSER],
          exclude: ELSEWHERE,
          isolate: false,
          expect: { poll: PATIENCE },
          testTimeout: 180_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
