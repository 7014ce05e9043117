import { createTransport } from 'nodemailer'
import { addressFor, isAllowed, NotReached, OUTSIDE_MS } from '../../../../platform/server/outside.ts'
import type { Outgoing, Said, Way } from './provider.ts'

/** 5xx of SMTP: this server will not take it, however often it is asked. */
const PERMANENT = 500
/** The connection was lost after the text had been handed over: it may have been taken. */
const AFTER_DATA = new Set(['DATA'])

/** SMTP knows no keys: the Message-ID is the message's, so that a mailbox that gets it twice shows it once. */
export async function byMail(way: Way, message: Outgoing): Promise<Said> {
  const { host, port, tls, account, secret, sender } = way
  try {
    const address = await addressFor(host ?? '', port ?? 0)
    const transport = createTransport({
      host: address,
      port: port ?? 0,
      secure: tls,
      ...(account && secret && { auth: { user: account, pass: secret } }),
      // A server of our own network, which the configuration names, may have a certificate of its own.
      tls: { servername: host ?? '', rejectUnauthorized: !isAllowed(host ?? '', port ?? 0) },
      connectionTimeout: OUTSIDE_MS,
      greetingTimeout: OUTSIDE_MS,
      socketTimeout: OUTSIDE_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    const sent = await transport.sendMail({
      from: sender ?? '',
      to: { name: message.toName, address: message.address },
      subject: message.title,
      text: message.content,
      messageId: `<${message.key}@kerbline>`,
    })
    return { outcome: 'accepted', answer: sent.response, providerNo: sent.messageId.slice(0, 64) }
  } catch (error) {
    return failure(error as Error & { responseCode?: number; command?: string; code?: string })
  }
}

function failure(error: Error & { responseCode?: number; command?: string }): Said {
  if (error instanceof NotReached) return { outcome: error.refused ? 'refused' : 'failed', answer: error.message }
  const { responseCode = 0, command = '', message } = error
  if (responseCode >= PERMANENT) return { outcome: 'refused', answer: message }
  return { outcome: responseCode === 0 && AFTER_DATA.has(command) ? 'unknown' : 'failed', answer: message }
}
