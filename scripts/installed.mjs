// Builtins only, any Node from 20 on: this is what runs before anything is installed.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const onWindows = process.platform === 'win32'

/** Writes to the error stream, which people read: standard output belongs to the program that is run. */
export const say = (line) => process.stderr.write(`${line}\n`)

/** Installs exactly what the lock file says, unless node_modules holds that already. */
export function install() {
  if (isInstalled()) return
  say('Installing the packages of package-lock.json ... 正在安装依赖')
  const npm = spawnSync(onWindows ? 'npm.cmd' : 'npm', ['ci', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: onWindows,
  })
  if (npm.status === 0) return
  say('npm ci failed; its message stands above. 依赖安装失败，原因见上。')
  process.exit(npm.status ?? 1)
}

/** The package that holds the pinned Node for this machine; package.json names one for each machine, so that the lock file holds its very bytes. */
const nodePackage = `node_modules/${process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'}-${onWindows ? 'win' : process.platform}-${process.arch}`

/** npm leaves a list of what it put into node_modules, last of all: a broken-off installation has none. Packages for other machines may be missing. */
function isInstalled() {
  const listed = (file) => JSON.parse(readFileSync(path.join(root, file), 'utf8')).packages
  if (!existsSync(path.join(root, 'node_modules', '.package-lock.json'))) return false
  const there = listed('node_modules/.package-lock.json')
  return Object.entries(listed('package-lock.json')).every(
    ([name, wanted]) =>
      name === '' || (there[name] ? there[name].version === wanted.version : name !== nodePackage && Boolean(wanted.optional ?? wanted.devOptional)),
  )
}

/** The pinned Node; where the registry has none for this machine, the running one if it is new enough. */
export function pinnedNode() {
  const pinned = path.join(root, nodePackage, 'bin', onWindows ? 'node.exe' : 'node')
  if (existsSync(pinned)) return pinned
  if (Number(process.versions.node.split('.')[0]) >= 26) return process.execPath
  say(`Node 26 was not installed for ${process.platform}-${process.arch}: please install it from nodejs.org and start again.`)
  process.exit(1)
}

/** Runs a program that only looks and says what is wrong; ends as it ends unless it is content. */
export function checkFirst(file) {
  const { status } = spawnSync(pinnedNode(), [file], { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

/**
 * Runs a program of ours under the pinned Node and ends as it ends. A terminal sends Ctrl-C to both; other signals go on to it from here.
 * The two hold each other by a channel: when this process is gone, however it went, the program is told to stop.
 * The code that Node compiles is kept: the next start of the server takes a third less.
 * A program that said `runs` by that channel is started again when it dies; one that never ran has refused to, and said why. With `again`, one that a signal
 * killed before it ran is started again too: that is no refusal.
 */
export function runPinned(args, env = {}, { again = false } = {}) {
  const bond = new URL('./bond.mjs', import.meta.url).href
  let child
  let stopping = false
  let hasRun = false
  let pauseMs = PAUSE_MS
  const run = () => {
    const begun = Date.now()
    child = spawn(pinnedNode(), ['--import', bond, ...args], {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      env: { NODE_COMPILE_CACHE: path.join(root, 'node_modules/.cache/compiled'), ...process.env, ...env },
    })
    child.on('message', (word) => (hasRun ||= word === 'runs'))
    child.on('exit', (code, signal) => {
      const refused = !hasRun && !(again && code === null)
      // Told to stop before it could listen to that, it did stop.
      if (stopping || code === 0 || refused) process.exit(code ?? (signal === 'SIGINT' ? 130 : stopping ? 0 : 1))
      if (Date.now() - begun > SETTLED_MS) pauseMs = PAUSE_MS
      say(`The server ended (${signal ?? code}); it is started again in ${pauseMs / 1000} s. 服务异常退出，正在重新启动`)
      setTimeout(run, pauseMs)
      pauseMs = Math.min(pauseMs * 2, PAUSE_MAX_MS)
    })
  }
  const stop = (signal) => {
    stopping = true
    if (child.exitCode !== null || child.signalCode) process.exit(0) // between two runs
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
  }
  run()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal))
  if (process.env.npm_lifecycle_event) stopWithParent(() => stop('SIGTERM'))
}
/** Between a death and the next start; doubled while it does not live long. */
const PAUSE_MS = 1_000
const PAUSE_MAX_MS = 30_000
const SETTLED_MS = 60_000

/** npm runs us in a shell, and a signal to npm ends that shell without telling us. */
function stopWithParent(stop) {
  const parent = process.ppid
  setInterval(() => process.ppid === parent || stop(), 500).unref()
}
