import { execFileSync } from 'node:child_process'
import { createReadStream, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import path from 'node:path'

/**
 * The template that antd's makers offer for an admin console: layout, rights, requests and one table over a mock. Built as they
 * build it.
 */
const TEMPLATE = 'create-umi@4.6.57'
const PEOPLE = Array.from({ length: 20 }, (_, id) => ({ id, name: `Person ${id}`, nickName: `P${id}`, gender: id % 2 ? 'FEMALE' : 'MALE' }))
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' }

export interface Peer {
  /** Its table, without a sign-in. */
  url: string
  close(): Promise<void>
}

/** Made once under `directory` (some 500 MB, two minutes); served from there afterwards, compressed as our own page is. */
export async function openPeer(directory: string): Promise<Peer> {
  const home = path.join(directory, 'peer')
  if (!existsSync(path.join(home, 'dist/index.html'))) make(directory, home)
  const server = await serve(path.join(home, 'dist'))
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}/table`,
    close: () => new Promise((done) => (server.closeAllConnections(), server.close(() => done()))),
  }
}

function make(directory: string, home: string): void {
  const fresh = path.join(directory, 'peer-new')
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(fresh, { recursive: true })
  const run = (cwd: string, command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, NODE_ENV: '', HUSKY: '0' } })
  run(fresh, 'npm', 'pack', '--silent', TEMPLATE)
  run(
    fresh,
    'tar',
    'xzf',
    readdirSync(fresh).find((name) => name.endsWith('.tgz'))!,
  )
  const source = path.join(fresh, 'package/templates/max')
  const version = TEMPLATE.split('@')[1]!
  const filled = (text: string) =>
    text
      .replace(/\{\{#withHusky\}\}[^]*?\{\{\/withHusky\}\}/g, '')
      .replaceAll('{{{ version }}}', version)
      .replaceAll('{{{ npmClient }}}', 'npm')
      .replaceAll('{{{ author }}}', '')
  for (const name of ['package.json', '.umirc.ts'])
    writeFileSync(path.join(source, name), filled(readFileSync(path.join(source, `${name}.tpl`), 'utf8')))
  run(source, 'npm', 'install', '--no-audit', '--no-fund')
  run(source, 'npx', 'max', 'build')
  rmSync(home, { recursive: true, force: true })
  renameSync(source, home)
  rmSync(fresh, { recursive: true, force: true })
}

function serve(dist: string): Promise<Server> {
  for (const name of readdirSync(dist).filter((one) => /\.(js|css)$/.test(one))) execFileSync('gzip', ['-9', '-k', '-f', path.join(dist, name)])
  const server = createServer((request, reply) => {
    const { pathname } = new URL(request.url!, 'http://peer')
    if (pathname.startsWith('/api/'))
      return void reply.setHeader('content-type', 'application/json').end(JSON.stringify({ success: true, data: { list: PEOPLE }, errorCode: 0 }))
    const asked = path.join(dist, path.normalize(pathname))
    const file = existsSync(asked) && statSync(asked).isFile() ? asked : path.join(dist, 'index.html')
    reply.setHeader('content-type', TYPES[path.extname(file)] ?? 'application/octet-stream')
    const packed = existsSync(`${file}.gz`)
    if (packed) reply.setHeader('content-encoding', 'gzip')
    createReadStream(packed ? `${file}.gz` : file).pipe(reply)
  })
  return new Promise((up) => server.listen(0, '127.0.0.1', () => up(server)))
}
