import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { compressed } from './vite.compressed.ts'

/**
 * Lists are searched by their search bar. antd's own column filters, which nothing here uses, would bring a tree and more: 25 kB of every first visit.
 * A column with `filters` shows its plain title.
 */
const withoutColumnFilters: Plugin = {
  name: 'without-column-filters',
  enforce: 'pre',
  load: (id) =>
    id.endsWith('antd/es/table/hooks/useFilter/FilterDropdown.js')
      ? 'export const flattenKeys = () => []\nexport default ({ children }) => children\n'
      : null,
}

/**
 * Rows are ticked by boxes, never chosen by a radio button, and hang below no others: of the tree's library antd's table needs four small functions, of the radio button nothing.
 * Whole, the two would bring 10 kB more to every first visit.
 */
const TICKS = `export { conductCheck } from '@rc-component/tree/es/utils/conductUtil.js'
export { convertDataToEntities } from '@rc-component/tree/es/utils/treeUtil.js'
export const arrAdd = (list, value) => (list?.includes(value) ? [...list] : [...(list ?? []), value])
export const arrDel = (list, value) => (list ?? []).filter((one) => one !== value)
`
const ticksAlone: Plugin = {
  name: 'ticks-alone',
  enforce: 'pre',
  resolveId: (wanted, by) =>
    by?.endsWith('antd/es/table/hooks/useSelection.js') && /^(@rc-component\/tree|\.\.\/\.\.\/radio)$/.test(wanted) ? `\0ticks:${wanted}` : null,
  load: (id) => (id === '\0ticks:@rc-component/tree' ? TICKS : id === '\0ticks:../../radio' ? 'export default () => null\n' : null),
}

/** Escape goes to what is on the page: `platform/web/page/escape.ts` says why the library's own way is not enough. */
const ESCAPE = fileURLToPath(new URL('platform/web/page/escape.ts', import.meta.url))
const escapeOfOurOwn: Plugin = {
  name: 'escape-of-our-own',
  enforce: 'pre',
  resolveId: (wanted, by) => (wanted === './useEscKeyDown' && by?.includes('@rc-component/portal') ? ESCAPE : null),
}

/** Of some two hundred and fifty screens and dialogs. Fewer bring parts into the first visit that it does not show, more leave out what every list needs. */
const SCREENS_THAT_SHARE = 95

/** The page lies under /dist/. In development the calls go to a server that runs beside it (`API`, its own address by default). */
export default defineConfig({
  root: fileURLToPath(new URL('apps/web', import.meta.url)),
  base: '/dist/',
  plugins: [withoutColumnFilters, ticksAlone, escapeOfOurOwn, react(), compressed()],
  // The server puts a fresh nonce in this place with every page: styles are allowed by it alone.
  html: { cspNonce: '__NONCE__' },
  server: { proxy: { '/lbs': { target: process.env.API ?? 'http://localhost:8600', ws: true } } },
  build: {
    outDir: fileURLToPath(new URL('dist', import.meta.url)),
    emptyOutDir: true,
    manifest: true,
    // antd's part is one file on purpose: cutting it further costs more requests than it saves.
    chunkSizeWarningLimit: 1500,
    // What most screens need is one file. Left alone it falls into a hundred, one for each set of screens that shares something: more requests, and 50 kB more.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'begin', tags: ['$initial'], priority: 2 },
            { name: 'console', minShareCount: SCREENS_THAT_SHARE, priority: 1 },
          ],
        },
      },
    },
  },
})
