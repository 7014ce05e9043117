import { startChild } from '../child.ts'

/** The sandbox payment channel as a process of its own, unless one listens there already. */
export async function startPayProcess({ dataDir, port }: { dataDir: string; port: number }): Promise<void> {
  const listens = await fetch(`http://127.0.0.1:${port}/counts`).then((reply) => reply.ok, () => false) // prettier-ignore
  if (!listens) await startChild('payment channel', 'pay/main.ts', { args: ['--port', String(port)], env: { DATA_DIR: dataDir } })
}
