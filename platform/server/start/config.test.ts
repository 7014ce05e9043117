import path from 'node:path'
import { expect, test } from 'vitest'
import { readConfig, StartRefusal } from './config.ts'

test('an empty environment is a complete configuration', () => {
  expect(readConfig({})).toMatchObject({
    port: 8600,
    mqttPort: 8601,
    host: '127.0.0.1',
    dataDir: path.resolve('.data'),
    databaseUrl: undefined,
    demo: 'city',
    demoPassword: undefined,
    mqttUrl: undefined,
    role: 'all',
    rateLimit: 1,
  })
})

test('every variable is read, and an empty one counts as not set', () => {
  const url = 'postgres://owner:secret@db.example/kerbline'
  const env = {
    PORT: '80',
    MQTT_PORT: '1883',
    HOST: '0.0.0.0',
    DATA_DIR: '/srv/kerbline',
    DATABASE_URL: url,
    DEMO: 'none',
    DEMO_PASSWORD: '',
    MQTT_URL: 'mqtts://broker',
    ROLE: 'web',
    TRUST_PROXY: '10.0.0.0/8, ::1,loopback',
    OCPP_CERT_HEADER: 'X-Client-Cert',
  }
  expect(readConfig(env)).toMatchObject({
    port: 80,
    mqttPort: 1883,
    host: '0.0.0.0',
    dataDir: '/srv/kerbline',
    databaseUrl: url,
    demo: 'none',
    demoPassword: undefined,
    mqttUrl: 'mqtts://broker',
    role: 'web',
    trustProxy: ['10.0.0.0/8', '::1', 'loopback'],
    pileCertHeader: 'x-client-cert',
  })
})

test.each([
  [{ PORT: '0' }, 'PORT=0'],
  [{ PORT: '80a' }, 'PORT=80a'],
  [{ MQTT_PORT: '70000' }, 'MQTT_PORT=70000'],
  [{ PORT: '9000', MQTT_PORT: '9000' }, 'MQTT_PORT=9000'],
  [{ DEMO: 'small', MQTT_PORT: '8602' }, 'MQTT_PORT=8602'],
  [{ DEMO: 'small', OCPP_PORT: '8603' }, 'OCPP_PORT=8603'],
  [{ PORT: '9000', JT808_PORT: '9005' }, 'JT808_PORT=9005'],
  [{ HOST: 'not a host' }, 'HOST=not a host'],
  [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL'],
  [{ DEMO: 'big' }, 'DEMO=big'],
  [{ DEMO_PASSWORD: 'x'.repeat(129) }, 'DEMO_PASSWORD'],
  [{ DEMO_PASSWORD: 'abc' }, 'DEMO_PASSWORD'],
  [{ MQTT_URL: 'broker' }, 'MQTT_URL'],
  [{ ROLE: 'all of them' }, 'ROLE=all of them'],
  [{ TRUST_PROXY: 'everybody' }, 'TRUST_PROXY=everybody'],
  [{ OCPP_CERT_HEADER: 'X-Client-Cert' }, 'OCPP_CERT_HEADER=X-Client-Cert'],
  [{ TRUST_PROXY: 'loopback', OCPP_CERT_HEADER: 'x y' }, 'OCPP_CERT_HEADER=x y'],
  [{ TRUST_PROXY: '10.0.0.0/33' }, 'TRUST_PROXY=10.0.0.0/33'],
  [{ TRUST_PROXY: '0.0.0.0/0' }, 'TRUST_PROXY=0.0.0.0/0'],
  [{ RATE_LIMIT: '-1' }, 'RATE_LIMIT=-1'],
  [{ RATE_LIMIT: '1001' }, 'RATE_LIMIT=1001'],
  [{ ROLE: 'worker' }, 'ROLE=worker'],
  [{ MAP_ADDRESS: 'ftp://maps.example/{z}/{x}/{y}' }, 'MAP_ADDRESS'],
  [{ MAP_ADDRESS: "https://maps.example/; script-src 'unsafe-inline'" }, 'MAP_ADDRESS'],
  [{ MAP_DATUM: 'bd09' }, 'MAP_DATUM=bd09'],
])('%o gets one line that names it', (env, name) => {
  const error = catching(() => readConfig(env))
  expect(error).toBeInstanceOf(StartRefusal)
  expect(error.message).toContain(name)
  expect(error.message).not.toContain('\n')
  expect(error.message).toMatch(/[\u4e00-\u9fff]/)
})

test('without a demo the ports beside PORT are free', () => {
  const ports = { MQTT_PORT: '8602', OCPP_PORT: '8603', JT808_PORT: '8605' }
  expect(readConfig({ DEMO: 'none', ...ports })).toMatchObject({ mqttPort: 8602, ocppPort: 8603, jt808Port: 8605 })
})

test('a wrong address is not repeated, because it may hold a password', () => {
  expect(catching(() => readConfig({ DATABASE_URL: 'http://me:secret@db' })).message).not.toContain('secret')
})

function catching(work: () => unknown): Error {
  try {
    work()
  } catch (error) {
    return error as Error
  }
  throw new Error('It was accepted.')
}
