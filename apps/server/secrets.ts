import { statSync } from 'node:fs'
import path from 'node:path'
import { StartRefusal } from '../../platform/server/start/config.ts'
import { VAULT_FILE } from '../../platform/server/start/vault.ts'

/** Files of the data directory that only the server's own user may read. */
const SECRETS = [
  'postgres.password',
  'demo-password',
  'demo-password.begun',
  'pay-sandbox.json',
  'notify-sandbox.json',
  'partner-sandbox.json',
  'ocpp.key',
  VAULT_FILE,
]
const OTHERS = 0o077

/** @throws StartRefusal when other users of the machine can read or change a secret: then it is none. */
export function refuseOpenSecrets(dataDir: string): void {
  for (const file of SECRETS.map((name) => path.join(dataDir, name))) {
    const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0
    if (mode & OTHERS)
      throw new StartRefusal(`Other users of this machine can get at ${file}: chmod 600 ${file}. 其他用户可访问该密钥文件，请收紧权限。`)
  }
}
