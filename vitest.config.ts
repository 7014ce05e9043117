import { defineConfig } from 'vitest/config'

const ELSEWHERE = ['**/node_modules/**', '**/dist/**', '**/.data/**']
const BROWSER = 'tests/**/*.browser.test.ts'

export default defineConfig({
  test: {
    globalSetup: './tests/support/global.ts',
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    projects: [
      {
        test: {
          name: 'server',
          include: ['**/*.test.ts', '**/*.test.tsx'],
          exclude: [...ELSEWHERE, BROWSER],
          sequence: { groupOrder: 0 },
        },
      },
      {
        // One Chromium at a time, after everything else: two that draw maps without a graphics card leave each other no processor.
        test: {
          name: 'browser',
          include: [BROWSER],
          exclude: ELSEWHERE,
          fileParallelism: false,
          maxWorkers: 1,
          testTimeout: 90_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
