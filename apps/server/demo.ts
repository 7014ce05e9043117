import type { Running } from './server.ts'

export async function fillDemo(_running: Running, _say: (line: string) => void): Promise<void> {}
