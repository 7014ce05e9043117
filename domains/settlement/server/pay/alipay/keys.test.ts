import { createPrivateKey, generateKeyPairSync, X509Certificate } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { accountOf, alipayKey } from './account.ts'
import { certificatesIn, privateKeyIn, publicKeyIn, rootSerialsIn, serialOf } from './keys.ts'
import { alipayKeys, merchantKeys, settingsOf } from './testing.ts'

// Certificates that Alipay publishes for the tests of its own SDK, with the serials that its SDK makes of them. They sign nothing here.
const PUBLISHED_APP = 'MIIEsTCCA5mgAwIBAgIQICAFGGIDnUCQiXuk1RwhJjANBgkqhkiG9w0BAQsFADCBgjELMAkGA1UEBhMCQ04xFjAUBgNVBAoMDUFudCBGaW5hbmNpYWwxIDAeBgNVBAsMF0NlcnRpZmljYXRpb24gQXV0aG9yaXR5MTkwNwYDVQQDDDBBbnQgRmluYW5jaWFsIENlcnRpZmljYXRpb24gQXV0aG9yaXR5IENsYXNzIDEgUjEwHhcNMjAwNTE4MDUyODQ3WhcNMjIwNTE4MDUyODQ3WjB5MQswCQYDVQQGEwJDTjEtMCsGA1UECgwk5p2t5bee54SV5pet5L+h5oGv5oqA5pyv5pyJ6ZmQ5YWs5Y+4MQ8wDQYDVQQLDAZBbGlwYXkxKjAoBgNVBAMMITIwODg4MzEyMDQ2NTkyMTctMjAyMTAwMTE2MTY4Mzc3NDCCASIwDQYJKoZIhvcNAQEBBQADggEPADCCAQoCggEBAJxb57A3/QC/2oDPcZrqWKPs/2qjVlY/x00s3OWa0CnhftO/4tk33cuVEwaQW7b/KbeyfmZ7p8SoxJ9UBDASDACq4TGgR0hFFIIT1FCjeUe8owXyaQsjbKL/6woXKHHOAaNCY42d9uKZ0ZAyeyX4gF+eEWVmobkDjUAYi6FdL/zyogbrKrYFibmKbTjuVocvlZN22R6CEJHCSnc3lw+Ya9NVe7DDx05B8MUQMPBZe9ZhvQb2D75bniV1i4clv/lezKdWyT//d/dIpGVx4tt92bMwt//UeFG2jLTWJG6h9bv6RCp4O7NFwE4IVMsJhoFTQKEatBx5wsfbYUC3Ivuo2/MCAwEAAaOCASkwggElMB8GA1UdIwQYMBaAFHEH4gRhFuTl8mXrMQ/J4PQ8mtWRMB0GA1UdDgQWBBSXl4+T1U+ja4hCST3DlTQAAKQ/tTBABgNVHSAEOTA3MDUGB2CBHAFuAQEwKjAoBggrBgEFBQcCARYcaHR0cDovL2NhLmFsaXBheS5jb20vY3BzLnBkZjAOBgNVHQ8BAf8EBAMCBsAwLwYDVR0fBCgwJjAkoCKgIIYeaHR0cDovL2NhLmFsaXBheS5jb20vY3JsNDEuY3JsMGAGCCsGAQUFBwEBBFQwUjAoBggrBgEFBQcwAoYcaHR0cDovL2NhLmFsaXBheS5jb20vY2E2LmNlcjAmBggrBgEFBQcwAYYaaHR0cDovL2NhLmFsaXBheS5jb206ODM0MC8wDQYJKoZIhvcNAQELBQADggEBALeeTrnXKUYapQ/ig9MB4h9KoP3g27BVJwOxYaIqWxm6iDvOr/Ju+/8QKygnH6dM3+6+pShCdHsCFaSAQM4gUwxS4F1PcISjKs3LQ6Q8eWHZMV9w292DOzFRNUoMmgI2yAGOW6DxmnNDFxbVjzcABsrjOmoqso5c4y82K7cl9AfvTm+ThOC3wPQqTiLOZ6xoSL8pO4V+BkPrJTKJNqX0cVPm+QLP+TC411GTjrmz2nv1OPEVSTey5HaB6HWQeDz7hGnbipZswfCRHRiu42+4pQZw+3rQ6uRzSPMpxgk7RaBWexybrqRk6ZfyXMcxJvNDWWk/EQlzLL8SRuJzW8kcFrE='
const PUBLISHED_ALIPAY = 'MIIDsjCCApqgAwIBAgIQICAFFOY8L+BNU4cW/iE1izANBgkqhkiG9w0BAQsFADCBgjELMAkGA1UEBhMCQ04xFjAUBgNVBAoMDUFudCBGaW5hbmNpYWwxIDAeBgNVBAsMF0NlcnRpZmljYXRpb24gQXV0aG9yaXR5MTkwNwYDVQQDDDBBbnQgRmluYW5jaWFsIENlcnRpZmljYXRpb24gQXV0aG9yaXR5IENsYXNzIDIgUjEwHhcNMjAwNTE0MTQ0MjAxWhcNMjIwNTE0MTQ0MjAxWjCBkjELMAkGA1UEBhMCQ04xLTArBgNVBAoMJOadreW3nueEleaXreS/oeaBr+aKgOacr+aciemZkOWFrOWPuDEPMA0GA1UECwwGQWxpcGF5MUMwQQYDVQQDDDrmlK/ku5jlrp0o5Lit5Zu9Kee9kee7nOaKgOacr+aciemZkOWFrOWPuC0yMDg4ODMxMjA0NjU5MjE3MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAhoVesfcGvUv1XvUndmX0rmSZ/2posJBCooySbSVFpV79RtHMzrVz2aKkC3WvOXeT5iNeQK4mK8gp3vNkWrHTkQGx5BcmkeO1WS384CQde7dAS0gmxeFs5bs+cCQqV2A2c2R9/5rJMtFtp1Ot/rIiMBUn6Ei0UoztM7AneavqQEzSwYlCKNhPFFtHCiz7u4O5R9CIyvUmYr+zpem2HXBN9ygPAZ0aXBQipGbc45+G07ZCNsmY4hV/Igya1aBf+Ye8p10Ew8uBBri0sIknhSC2LqKKy2IH1fO6q1d1jhN240QRHvbpRNv60kAfZsEulBASBrCMBi49NiJyr5nre7SNywIDAQABoxIwEDAOBgNVHQ8BAf8EBAMCA/gwDQYJKoZIhvcNAQELBQADggEBAEx9T99X9NhDZYXDftc0wH0Tc5OVRIqWTYBN/KEP1df+Ix5djcDrUUcXJMvprMw3frUymgJsf7YUgZ1+dMz+Gup5dCH3qUu/5c9R3d8senb4wCiYR2FpJ3WGIONwInNQTs04a2wM4JIMCdCYWC/H1hdvNl9V4pYeMckTruSnPmJlL6E/pNF5AuIYP5AswZSOhASIQzt5Rr6QDz/YVGi2/6al5Bknm2f9dmsZbWDapKDrlJ3Ny2B0SZ0H47Y7lRlaVNe+Jj1jsrv16ONk1XLt71jyWyPAIlITLcyXmMtT1IympPFRxBIngEImjGt6d1VUtkf61Cjpr0bRRDoZXvWRv5U='
/** The bundle of roots that Alipay gives to everybody: SM2, RSA, ECDSA, RSA. */
const PUBLISHED_ROOTS = [
  'MIIBszCCAVegAwIBAgIIaeL+wBcKxnswDAYIKoEcz1UBg3UFADAuMQswCQYDVQQGEwJDTjEOMAwGA1UECgwFTlJDQUMxDzANBgNVBAMMBlJPT1RDQTAeFw0xMjA3MTQwMzExNTlaFw00MjA3MDcwMzExNTlaMC4xCzAJBgNVBAYTAkNOMQ4wDAYDVQQKDAVOUkNBQzEPMA0GA1UEAwwGUk9PVENBMFkwEwYHKoZIzj0CAQYIKoEcz1UBgi0DQgAEMPCca6pmgcchsTf2UnBeL9rtp4nw+itk1Kzrmbnqo05lUwkwlWK+4OIrtFdAqnRTV7Q9v1htkv42TsIutzd126NdMFswHwYDVR0jBBgwFoAUTDKxl9kzG8SmBcHG5YtiW/CXdlgwDAYDVR0TBAUwAwEB/zALBgNVHQ8EBAMCAQYwHQYDVR0OBBYEFEwysZfZMxvEpgXBxuWLYlvwl3ZYMAwGCCqBHM9VAYN1BQADSAAwRQIgG1bSLeOXp3oB8H7b53W+CKOPl2PknmWEq/lMhtn25HkCIQDaHDgWxWFtnCrBjH16/W3Ezn7/U/Vjo5xIpDoiVhsLwg==',
  'MIIF0zCCA7ugAwIBAgIIH8+hjWpIDREwDQYJKoZIhvcNAQELBQAwejELMAkGA1UEBhMCQ04xFjAUBgNVBAoMDUFudCBGaW5hbmNpYWwxIDAeBgNVBAsMF0NlcnRpZmljYXRpb24gQXV0aG9yaXR5MTEwLwYDVQQDDChBbnQgRmluYW5jaWFsIENlcnRpZmljYXRpb24gQXV0aG9yaXR5IFIxMB4XDTE4MDMyMTEzNDg0MFoXDTM4MDIyODEzNDg0MFowejELMAkGA1UEBhMCQ04xFjAUBgNVBAoMDUFudCBGaW5hbmNpYWwxIDAeBgNVBAsMF0NlcnRpZmljYXRpb24gQXV0aG9yaXR5MTEwLwYDVQQDDChBbnQgRmluYW5jaWFsIENlcnRpZmljYXRpb24gQXV0aG9yaXR5IFIxMIICIjANBgkqhkiG9w0BAQEFAAOCAg8AMIICCgKCAgEAtytTRcBNuur5h8xuxnlKJetT65cHGemGi8oD+beHFPTkrUTlFt9Xn7fAVGo6QSsPb9uGLpUFGEdGmbsQ2q9cV4P89qkH04VzIPwT7AywJdt2xAvMs+MgHFJzOYfL1QkdOOVO7NwKxH8IvlQgFabWomWk2Ei9WfUyxFjVO1LVh0BpdRBeWLMkdudx0tl3+21t1apnReFNQ5nfX29xeSxIhesaMHDZFViO/DXDNW2BcTs6vSWKyJ4YIIIzStumD8K1xMsoaZBMDxg4itjWFaKRgNuPiIn4kjDY3kC66Sl/6yTlYUz8AybbEsICZzssdZh7jcNb1VRfk79lgAprm/Ktl+mgrU1gaMGP1OE25JCbqli1Pbw/BpPynyP9+XulE+2mxFwTYhKAwpDIDKuYsFUXuo8t261pCovI1CXFzAQM2w7HDtA2nOXSW6q0jGDJ5+WauH+K8ZSvA6x4sFo4u0KNCx0ROTBpLif6GTngqo3sj+98SZiMNLFMQoQkjkdN5Q5g9N6CFZPVZ6QpO0JcIc7S1le/g9z5iBKnifrKxy0TQjtGPsDwc8ubPnRm/F82RReCoyNyx63indpgFfhN7+KxUIQ9cOwwTvemmor0A+ZQamRe9LMuiEfEaWUDK+6O0Gl8lO571uI5onYdN1VIgOmwFbe+D8TcuzVjIZ/zvHrAGUcCAwEAAaNdMFswCwYDVR0PBAQDAgEGMAwGA1UdEwQFMAMBAf8wHQYDVR0OBBYEFF90tATATwda6uWx2yKjh0GynOEBMB8GA1UdIwQYMBaAFF90tATATwda6uWx2yKjh0GynOEBMA0GCSqGSIb3DQEBCwUAA4ICAQCVYaOtqOLIpsrEikE5lb+UARNSFJg6tpkftJ2U8QF/DejemEHx5IClQu6ajxjtu0Aie4/3UnIXop8nH/Q57l+Wyt9T7N2WPiNqJSlYKYbJpPF8LXbuKYG3BTFTdOVFIeRe2NUyYh/xs6bXGr4WKTXb3qBmzR02FSy3IODQw5Q6zpXj8prYqFHYsOvGCEc1CwJaSaYwRhTkFedJUxiyhyB5GQwoFfExCVHW05ZFCAVYFldCJvUzfzrWubN6wX0DD2dwultgmldOn/W/n8at52mpPNvIdbZb2F41T0YZeoWnCJrYXjq/32oc1cmifIHqySnyMnavi75DxPCdZsCOpSAT4j4lAQRGsfgIkkLPGQieMfNNkMCKh7qjwdXAVtdqhf0RVtFILH3OyEodlk1HYXqX5iE5wlaKzDopPKwf2Q3BErq1xChYGGVS+dEvyXc/2nIBlt7uLWKp4XFjqekKbaGaLJdjYP5b2s7N1dM0MXQ/f8XoXKBkJNzEiM3hfsU6DOREgMc1DIsFKxfuMwX3EkVQM1If8ghb6x5YjXayv+NLbidOSzk4vl5QwngO/JYFMkoc6i9LNwEaEtR9PhnrdubxmrtM+RjfBm0277q3dSWFESFQ4QxYWew4pHE0DpWbWy/iMIKQ6UZ5RLvB8GEcgt8ON7BBJeMc+DyikT9qhqn+lw==',
  'MIICiDCCAgygAwIBAgIIQX76UsB/30owDAYIKoZIzj0EAwMFADB6MQswCQYDVQQGEwJDTjEWMBQGA1UECgwNQW50IEZpbmFuY2lhbDEgMB4GA1UECwwXQ2VydGlmaWNhdGlvbiBBdXRob3JpdHkxMTAvBgNVBAMMKEFudCBGaW5hbmNpYWwgQ2VydGlmaWNhdGlvbiBBdXRob3JpdHkgRTEwHhcNMTkwNDI4MTYyMDQ0WhcNNDkwNDIwMTYyMDQ0WjB6MQswCQYDVQQGEwJDTjEWMBQGA1UECgwNQW50IEZpbmFuY2lhbDEgMB4GA1UECwwXQ2VydGlmaWNhdGlvbiBBdXRob3JpdHkxMTAvBgNVBAMMKEFudCBGaW5hbmNpYWwgQ2VydGlmaWNhdGlvbiBBdXRob3JpdHkgRTEwdjAQBgcqhkjOPQIBBgUrgQQAIgNiAASCCRa94QI0vR5Up9Yr9HEupz6hSoyjySYqo7v837KnmjveUIUNiuC9pWAUWP3jwLX3HkzeiNdeg22a0IZPoSUCpasufiLAnfXh6NInLiWBrjLJXDSGaY7vaoktrpZvAdmjXTBbMAsGA1UdDwQEAwIBBjAMBgNVHRMEBTADAQH/MB0GA1UdDgQWBBRZ4ZTgDpksHL2qcpkFkxD2zVd16TAfBgNVHSMEGDAWgBRZ4ZTgDpksHL2qcpkFkxD2zVd16TAMBggqhkjOPQQDAwUAA2gAMGUCMQD4IoqT2hTUn0jt7oXLdMJ8q4vLp6sgwHfPiOr9gxreb+e6Oidwd2LDnC4OUqCWiF8CMAzwKs4SnDJYcMLf2vpkbuVE4dTHRglz+HGcTLWsFs4KxLsq7MuU+vJTBUeDJeDjdA==',
  'MIIDxTCCAq2gAwIBAgIUEMdk6dVgOEIS2cCP0Q43P90Ps5YwDQYJKoZIhvcNAQEFBQAwajELMAkGA1UEBhMCQ04xEzARBgNVBAoMCmlUcnVzQ2hpbmExHDAaBgNVBAsME0NoaW5hIFRydXN0IE5ldHdvcmsxKDAmBgNVBAMMH2lUcnVzQ2hpbmEgQ2xhc3MgMiBSb290IENBIC0gRzMwHhcNMTMwNDE4MDkzNjU2WhcNMzMwNDE4MDkzNjU2WjBqMQswCQYDVQQGEwJDTjETMBEGA1UECgwKaVRydXNDaGluYTEcMBoGA1UECwwTQ2hpbmEgVHJ1c3QgTmV0d29yazEoMCYGA1UEAwwfaVRydXNDaGluYSBDbGFzcyAyIFJvb3QgQ0EgLSBHMzCCASIwDQYJKoZIhvcNAQEBBQADggEPADCCAQoCggEBAOPPShpVnJbMqqCw6Bz1kehnoPst9pkr0V9idOwU2oyS47/HjJXk9Rd5a9xfwkPO88trUpz54GmmwspDXjVFu9L0eFaRuH3KMha1Ak01citbF7cQLJlS7XI+tpkTGHEY5pt3EsQgwykfZl/A1jrnSkspMS997r2Gim54cwz+mTMgDRhZsKK/lbOeBPpWtcFizjXYCqhwWktvQfZBYi6o4sHCshnOswi4yV1p+LuFcQ2ciYdWvULh1eZhLxHbGXyznYHi0dGNz+I9H8aXxqAQfHVhbdHNzi77hCxFjOy+hHrGsyzjrd2swVQ2iUWP8BfEQqGLqM1gKgWKYfcTGdbPB1MCAwEAAaNjMGEwHQYDVR0OBBYEFG/oAMxTVe7y0+408CTAK8hAuTyRMB8GA1UdIwQYMBaAFG/oAMxTVe7y0+408CTAK8hAuTyRMA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgEGMA0GCSqGSIb3DQEBBQUAA4IBAQBLnUTfW7hpemMbuUGCk7RBswzOT83bDM6824EkUnf+X0iKS95SUNGeeSWK2o/3ALJo5hi7GZr3U8eLaWAcYizfO99UXMRBPw5PRR+gXGEronGUugLpxsjuynoLQu8GQAeysSXKbN1IUugDo9u8igJORYA+5ms0s5sCUySqbQ2R5z/GoceyI9LdxIVa1RjVX8pYOj8JFwtnDJN3ftSFvNMYwRuILKuqUYSHc2GPYiHVflDh5nDymCMOQFcFG3WsEuB+EYQPFgIU1DHmdZcz7Llx8UOZXX2JupWCYzK1XhJb+r4hK5ncf/w8qGtYlmyJpxk3hr1TfUJXYf4Zr0fJsGuv',
]
const pem = (base64: string, what = 'CERTIFICATE') => `-----BEGIN ${what}-----\n${base64.replaceAll(/(.{64})/g, '$1\n')}\n-----END ${what}-----\n`
const roots = PUBLISHED_ROOTS.map((one) => pem(one)).join('')

describe('serials of certificates', () => {
  test('are those of Alipay’s own SDK', () => {
    const of = (base64: string) => serialOf(new X509Certificate(pem(base64)))
    expect(of(PUBLISHED_APP)).toBe('866efef280dec9137a87d047ac446315')
    expect(of(PUBLISHED_ALIPAY)).toBe('7513daaaa48aa3ba2e4018d84402479c')
    expect(rootSerialsIn(roots)).toBe('687b59193f3f462dd5336e5abf83c5d8_02941eef3187dddf3d3b83462e1dfcf6')
  })

  test('name the key by which an answer is verified', () => {
    const [theirs] = certificatesIn(pem(PUBLISHED_ALIPAY), '', '')
    const serial = serialOf(theirs!)
    const account = { alipayKeys: new Map([[serial, theirs!.publicKey]]) }
    expect(alipayKey(account, serial)).toBe(theirs!.publicKey)
    expect(alipayKey(account, undefined)).toBe(theirs!.publicKey)
    expect(alipayKey(account, '866efef280dec9137a87d047ac446315')).toBeUndefined()
  })
})

describe('keys', () => {
  const key = createPrivateKey({ key: Buffer.from(merchantKeys.privateKey, 'base64'), format: 'der', type: 'pkcs8' })
  const pkcs1 = key.export({ type: 'pkcs1', format: 'der' }).toString('base64')
  test.each([
    ['bare PKCS #8, as Alipay’s tool writes it', merchantKeys.privateKey],
    ['bare PKCS #1', pkcs1],
    ['PEM of PKCS #8', pem(merchantKeys.privateKey, 'PRIVATE KEY')],
    ['PEM of PKCS #1 with lines of Windows', pem(pkcs1, 'RSA PRIVATE KEY').replaceAll('\n', '\r\n')],
    ['PEM in one long line', `-----BEGIN PRIVATE KEY-----\n${merchantKeys.privateKey}\n-----END PRIVATE KEY-----`],
  ])('%s', (_, text) => {
    expect(privateKeyIn(text).equals(key)).toBe(true)
  })

  const short = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const told = (read: () => unknown) => {
    try {
      read()
    } catch (error) {
      return error as { id: string; code: number; texts: [string, string] }
    }
    return undefined
  }
  test.each([
    ['nothing', ''],
    ['a sentence', '我的私钥在财务那里'],
    ['letters that are Base64 and no key', 'A'.repeat(400)],
    ['half of a key', merchantKeys.privateKey.slice(0, 800)],
    ['the public key', merchantKeys.publicKey],
    ['a key of 1024 bits', short.privateKey.export({ type: 'pkcs8', format: 'pem' })],
    ['a key of another algorithm', ec.privateKey.export({ type: 'pkcs8', format: 'pem' })],
    ['a file without an end', 'A'.repeat(200_000)],
  ])('%s is no private key, and the refusal says what to paste', (_, text) => {
    expect(told(() => privateKeyIn(text as string))).toMatchObject({
      id: 'settlement.alipay-key',
      code: 40540,
      texts: [expect.stringMatching(/^应用私钥无法识别/), expect.stringMatching(/^The app’s private key cannot be read/)],
    })
  })
  test('a private key, or a certificate, is not Alipay’s public key', () => {
    for (const text of [merchantKeys.privateKey, pem(PUBLISHED_ALIPAY), 'x']) expect(told(() => publicKeyIn(text))?.id).toBe('settlement.alipay-key')
    expect(publicKeyIn(alipayKeys.publicKey).asymmetricKeyType).toBe('rsa')
  })
})

describe('certificate mode', () => {
  const files = { appCertificate: pem(PUBLISHED_APP), alipayCertificate: pem(PUBLISHED_ALIPAY), rootCertificate: roots }
  test('the app’s certificate must be of the app’s key', () => {
    expect(() => accountOf(settingsOf({ trust: files }))).toThrow(/does not belong/)
  })
  test.each(['appCertificate', 'alipayCertificate', 'rootCertificate'] as const)('%s is a file of certificates', (name) => {
    const cut = files[name].slice(0, files[name].length / 2)
    for (const text of ['', 'no certificate', cut]) {
      const read = () => (name === 'rootCertificate' ? rootSerialsIn(text) : certificatesIn(text, '应用公钥证书', 'certificate of the app'))
      expect(read).toThrow(/cannot be read: paste the whole certificate file/)
    }
  })
  test('a bundle without one of RSA has no serial', () => {
    expect(() => rootSerialsIn(pem(PUBLISHED_ROOTS[0]!))).toThrow(/root certificate of Alipay cannot be read/)
  })
})
