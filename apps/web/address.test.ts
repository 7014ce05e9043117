import { expect, test } from 'vitest'
import { loginFor, wayBack } from './address.ts'

test('the way to the sign-in page holds the way back', () => {
  expect(loginFor('/operation/stays', '?plateNo=京A1')).toBe(`/login?redirect=${encodeURIComponent('/operation/stays?plateNo=京A1')}`)
  expect(loginFor('/')).toBe('/login')
  expect(loginFor('/login', '?redirect=/x')).toBe('/login')
})
test('the way back leads to own paths only', () => {
  expect(wayBack('?redirect=%2Foperation%2Fstays%3Fa%3D1')).toBe('/operation/stays?a=1')
  const tricks = [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'javascript:alert(1)',
    '/\u0009/evil.example',
    ' //evil.example',
    '/%2e%2e//evil.example/..//x',
    'data:text/html,x',
    '///evil.example',
    '/login',
    '',
    'operation',
    'http:/evil.example',
    '/..//evil.example',
    '/a/..//evil.example',
    '/\n/evil.example',
  ]
  for (const trick of tricks) {
    const way = wayBack(`?redirect=${encodeURIComponent(trick)}`)
    expect(new URL(way, 'http://own').origin, trick).toBe('http://own')
    expect(way.startsWith('//'), trick).toBe(false)
  }
})
