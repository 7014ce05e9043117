import { describe, expect, test } from 'vitest'
import { confirmFault, newPasswordFault } from './password.ts'

const zh = (fault: readonly unknown[] | undefined) => fault?.[0]
const COMPOSITION = '密码必须包含数字、大写字母、小写字母、特殊字符'

describe('a new password', () => {
  test('password.required: left empty', () => {
    expect(zh(newPasswordFault(''))).toBe('请输入新密码!')
    expect(zh(newPasswordFault(undefined))).toBe('请输入新密码!')
  })
  test('password.min-length: 8 characters are too few, 9 are enough', () => {
    expect(zh(newPasswordFault('Abcdef1@'))).toBe('密码长度不能小于9位')
    expect(newPasswordFault('Abcdefg1@')).toBeUndefined()
  })
  test('password.composition: a digit, both cases and a special character', () => {
    for (const lacks of ['Abcdefgh@', 'abcdefg1@', 'ABCDEFG1@', 'Abcdefgh1']) expect(zh(newPasswordFault(lacks))).toBe(COMPOSITION)
  })
  test('password.special-set: each character of the set will do', () => {
    for (const special of '@#$%^&*!~?,') expect(newPasswordFault(`Abcdefg1${special}`)).toBeUndefined()
  })
  test('password.special-other: a character outside the set will not', () => {
    for (const other of '-_+=.;:()/\\|<>。') expect(zh(newPasswordFault(`Abcdefg1${other}`))).toBe(COMPOSITION)
  })
})

describe('the new password once more', () => {
  test('password.confirm-required: left out', () => expect(zh(confirmFault(undefined, 'Abcdefg1@'))).toBe('请确认新密码!'))
  test('password.confirm-empty: emptied', () => expect(zh(confirmFault('', 'Abcdefg1@'))).toBe('请再次输入密码'))
  test('password.mismatch: another one', () => {
    expect(zh(confirmFault('Abcdefg1#', 'Abcdefg1@'))).toBe('两次输入密码不一致!')
    expect(confirmFault('Abcdefg1@', 'Abcdefg1@')).toBeUndefined()
  })
})
