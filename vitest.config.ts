import { defineConfig } from 'vitest/config'
import { LongFirst } from './tests/sequence.ts'

const ELSEWHERE = ['**/node_modules/**', '**/dist/**', '**/.data/**']
const BROWSER = 'tests/**/*.browser.test.ts'

export default defineConfig({
  test: {
    globalSetup: './tests/support/global.ts',
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: LongFirst },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    projects: [
      {
        test: {
          name: 'server',
          // What takes too long for every change runs in the soak alone.
          include: ['**/*.test.ts', '**/*.test.tsx', ...(process.env['SOAK'] ? ['**/*.soak.ts'] : [])],
          exclude: [...ELSEWHERE, BROWSER],
          // In a browser waiting for what has to be seen is the assertion.
          expect: { requireAssertions: true },
          sequence: { groupOrder: 0 },
        },
      },
      {
        // After everything else: a Chromium, its server and its database take a core.
        test: {
          name: 'browser',
          include: [BROWSER],
          exclude: ELSEWHERE,
          testTimeout: 90_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
