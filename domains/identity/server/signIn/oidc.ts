import * as provider from 'openid-client'
import type { Oidc } from '../../../../platform/server/start/config.ts'
import { cookieOf } from '../../../../platform/server/call/cookies.ts'
import { run } from '../../../../platform/server/database.ts'
import type { Log } from '../../../../platform/server/log.ts'
import { refusal, Unavailable } from '../../../../platform/server/refusal.ts'
import { phased, type RequestFacts, serve } from '../../../../platform/server/serve.ts'
import { logSignIn, SignIn } from '../../../system/server/api.ts'
import { oidc } from '../../contract/oidc.ts'
import { clientOf, openSession, secret } from './opening.ts'
import { SINGLE_SIGN_ON } from './session.ts'
import { secretHash } from './sessions.ts'

const NotOffered = refusal(
  'identity.oidc-off',
  404,
  '未启用单点登录，请用密码登录',
  'Single sign-on is not configured: sign in with your password',
  404,
)
const NotRight = refusal('identity.oidc', 401, '单点登录未成功，请重新登录', 'Single sign-on failed; sign in again', 401)
const Nobody = refusal(
  'identity.oidc-nobody',
  40227,
  '身份已确认，但本平台没有对应的人员，请联系管理员',
  'Your identity was confirmed, but no user here matches it; contact an administrator',
  401,
)

/** Ties an attempt to the browser that began it. */
const COOKIE = 'kerbline-oidc'
const ATTEMPT_S = 600

let offered: Oidc | undefined
let log: Log | undefined
let found: Promise<provider.Configuration> | undefined
/** Said once at start; undefined takes it away. */
export function offerOidc(config: Oidc | undefined, with_?: Log): void {
  offered = config
  log = with_
  found = undefined
}

export const calls = serve(oidc, {
  offer: async () => ({ name: offered?.name ?? null }),

  begin: phased(
    async ({ request, write }) => {
      const { config, of } = await configured()
      const [verifier, state, nonce, browser] = [provider.randomPKCECodeVerifier(), provider.randomState(), provider.randomNonce(), secret()]
      await write((tx) => run(tx, { sql: 'select identity.begin_oidc($1, $2, $3, $4)' }, [secretHash(state), secretHash(browser), verifier, nonce]))
      request.setCookie(
        `${COOKIE}=${browser}; Path=/lbs/security/oidc; HttpOnly; SameSite=Lax; Max-Age=${ATTEMPT_S}${request.overTls ? '; Secure' : ''}`,
      )
      const url = provider.buildAuthorizationUrl(config, {
        redirect_uri: of.redirect,
        scope: 'openid profile',
        code_challenge: await provider.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      })
      return { url: url.href }
    },
    { anew: true },
  ),

  finish: phased(
    async ({ input: { code, state, ...sent }, request, write }) => {
      const { config, of } = await configured()
      const [attempt] = await write((tx) =>
        run<{ verifier: string | null; nonce: string }>(tx, { sql: 'select * from identity.take_oidc($1, $2)' }, [
          secretHash(state),
          secretHash(browserOf(request)),
        ]),
      )
      if (!attempt?.verifier) throw NotRight()
      const claims = await claimsOf(config, of, { code, state, verifier: attempt.verifier, nonce: attempt.nonce })
      const name = claims[of.claim]
      const opened = await write(async (tx) => {
        const [who] = await run<{ personId: string | null; username: string }>(
          tx,
          { sql: 'select * from identity.person_of_subject($1, $2, $3, $4)' },
          [of.enterprise, claims.iss, claims.sub, typeof name === 'string' ? name : null],
        )
        if (!who?.personId) return undefined
        const client = { ...clientOf(sent, request), kind: SINGLE_SIGN_ON }
        await logSignIn(tx, { enterprise: of.enterprise, personId: who.personId, username: who.username, ...client, outcome: SignIn.right })
        return openSession(tx, who.personId, client, request)
      })
      if (!opened) throw Nobody()
      return opened
    },
    { anew: true },
  ),
})

/** The provider as it describes itself; asked for once, and again after it could not be reached. */
async function configured(): Promise<{ config: provider.Configuration; of: Oidc }> {
  if (!offered) throw NotOffered()
  const of = offered
  const insecure = of.issuer.startsWith('http://') ? [provider.allowInsecureRequests] : []
  found ??= provider.discovery(new URL(of.issuer), of.clientId, of.clientSecret, undefined, {
    timeout: PROVIDER_TIMEOUT_S,
    // The token's signature is looked at too, although it comes from the provider itself.
    execute: [provider.enableNonRepudiationChecks, ...insecure],
  })
  try {
    return { config: await found, of }
  } catch (error) {
    found = undefined
    log?.warn({ err: error }, 'The identity provider cannot be reached.')
    throw Unavailable()
  }
}
const PROVIDER_TIMEOUT_S = 5

async function claimsOf(
  config: provider.Configuration,
  of: Oidc,
  { code, state, verifier, nonce }: { code: string; state: string; verifier: string; nonce: string },
) {
  const back = new URL(of.redirect)
  back.search = new URLSearchParams({ code, state }).toString()
  try {
    const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true }
    const claims = (await provider.authorizationCodeGrant(config, back, checks)).claims()
    if (claims) return claims
  } catch (error) {
    log?.warn({ err: error }, 'A single sign-on was refused.')
  }
  throw NotRight()
}

const browserOf = ({ headers }: RequestFacts) => cookieOf(typeof headers['cookie'] === 'string' ? headers['cookie'] : undefined, COOKIE) ?? ''
