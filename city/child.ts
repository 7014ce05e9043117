import { spawn } from 'node:child_process'
import path from 'node:path'

const WAITS_MS = 15_000

/**
 * What stands outside the platform as a process of its own, for as long as this one lives: its input is ours, and ends with us. `file` lies beside this one.
 * @returns its first line, which it says when it listens
 */
export async function startChild(
  name: string,
  file: string,
  { args, env = {} }: { args: readonly string[]; env?: Record<string, string> },
): Promise<string> {
  const child = spawn(process.execPath, [path.resolve(import.meta.dirname, file), ...args], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const said = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`The ${name} did not start.`)), WAITS_MS)
    child.stdout.setEncoding('utf8').once('data', (line: string) => (clearTimeout(timer), resolve(line)))
    child.once('exit', () => (clearTimeout(timer), reject(new Error(`The ${name} ended at once: ${args.join(' ')}.`))))
  })
  child.unref()
  for (const stream of [child.stdin, child.stdout]) (stream as unknown as { unref(): void }).unref()
  return said
}

/** For the process itself: gone with a signal, and gone with whoever started it, however they went. */
export function endWith(stop: () => Promise<void>): void {
  const end = () => void stop().then(() => process.exit(0))
  process.once('SIGINT', end)
  process.once('SIGTERM', end)
  process.stdin.resume().once('end', end).unref()
}
