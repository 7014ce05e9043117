import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { root } from '../sources.ts'
import { everyMutant } from './work.ts'

const { codes } = everyMutant()

/** One file of tests in one process, over the files with every mutant in them. */
export default defineConfig({
  root,
  plugins: [{ name: 'mutants', enforce: 'pre', transform: (_code, id) => codes.get(id) }],
  test: {
    globalSetup: './tests/support/global.ts',
    runner: fileURLToPath(new URL('./runner.ts', import.meta.url)),
    pool: 'forks',
    maxWorkers: 1,
    // A cached file is found by its own text, while its mutants are numbered after those of the files before it.
    fsModuleCache: false,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    reporters: ['dot'],
  },
})
