import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { startChild } from '../child.ts'
import type { Four } from './wire.ts'

/** The data that the partner keeps: its code, and the secrets that each side gave the other. */
export interface Kept {
  operatorId: string
  given: Four
  own: Four
}
const fileIn = (dataDir: string) => path.join(dataDir, 'partner-sandbox.json')
export const keptIn = (dataDir: string): Kept | undefined =>
  existsSync(fileIn(dataDir)) ? (JSON.parse(readFileSync(fileIn(dataDir), 'utf8')) as Kept) : undefined
export const keepIn = (dataDir: string, kept: Kept): void => writeFileSync(fileIn(dataDir), JSON.stringify(kept), { mode: 0o600 })

/** Two of the four are keys of sixteen bytes. */
export const newFour = (): Four => ({ operatorSecret: word(), dataSecret: word(), dataSecretIv: word(), sigSecret: word() })
const word = () => randomBytes(8).toString('hex')

/** The partner platform as a process of its own. @returns where it listens */
export async function startPartnerProcess({ dataDir, platform }: { dataDir: string; platform: string }): Promise<string> {
  const args = ['--platform', platform]
  const said = await startChild('partner platform', 'partner/main.ts', { at: `of ${platform}`, args, env: { DATA_DIR: dataDir } })
  return (JSON.parse(said) as { url: string }).url
}
