import { expect, test } from 'vitest'
import { answerIn } from './answers.ts'

test('a provider’s answer is told by what its status means and by its own words', () => {
  expect(answerIn('422 {"error":"NUMBER_DOES_NOT_EXIST","lagMs":3}')).toEqual({
    status: 422,
    means: ['号码或内容被拒收', 'The number or content was rejected'],
    words: 'NUMBER_DOES_NOT_EXIST',
  })
  expect(answerIn('200 {"id":"N1"}')).toMatchObject({ means: ['已受理', 'Accepted'], words: '' })
  expect(answerIn('418 I am a teapot')).toMatchObject({ means: ['被拒收', 'Refused'], words: 'I am a teapot' })
  expect(answerIn('503')).toMatchObject({ means: ['服务商故障', 'Provider fault'], words: '' })
  expect(answerIn('400 {"errcode":40001,"errmsg":"invalid credential"}')?.words).toBe('invalid credential')
})
test('what is no answer over HTTP stays as it is', () => {
  expect(answerIn('no answer within 10 s')).toBeUndefined()
  expect(answerIn('250 2.0.0 Ok: queued')).toMatchObject({ means: ['已受理', 'Accepted'], words: '2.0.0 Ok: queued' })
})
