import { describe, expect, it } from 'vitest'
import {
  answered,
  answerSignature,
  decrypted,
  encrypted,
  envelopeOf,
  isFresh,
  isSignature,
  kwhOf,
  parts,
  requestSignature,
  sealed,
  sequence,
  spelled,
  stampOf,
  understood,
  wireTime,
  yuanOf,
} from './codec.ts'

const KEY = '1234567890abcdef'
const secrets = { dataSecret: KEY, dataSecretIv: KEY, sigSecret: KEY }

describe('The envelope', () => {
  it('is the one of the published example, both ways', () => {
    const Data = 'mYvffpNoFf4E/ZTC1tOw41TC5OlkEobfAYCm5N8hEusaLUaUIqOrXtdbMrSck0DSmfM7mRuOGMoCQzH0nWPGuw=='
    expect(requestSignature({ OperatorID: '123456789', Data, TimeStamp: '20180120165755', Seq: '0001' }, secrets)).toBe(
      'D2D584A14F3F284445DF85D0E8C0697C',
    )
    expect(JSON.parse(decrypted(Data, secrets)!)).toEqual({ OperatorID: '123456789', OperatorSecret: KEY })
  })
  it('encrypts and signs a query of stations as reckoned by hand', () => {
    const made = sealed('123456789', { LastQueryTime: '', PageNo: 1, PageSize: 10 }, { TimeStamp: '20260302101500', Seq: '0001' }, secrets)
    expect(made.Data).toBe('T2JrxbdKULrue7zhmPD14tqC9yVfLvwIaXmgwt2huNqliYcDGayo4PkbRDH9nQ36')
    expect(made.Sig).toBe('554FB4AAB0BE9A97C644B814197E61BB')
  })
  it('signs an answer over its digits, words and data, and takes small letters', () => {
    const made = answered(0, '成功', { Status: 0 }, secrets)
    expect(JSON.parse(decrypted(made.Data, secrets)!)).toEqual({ Status: 0 })
    expect(isSignature(made.Sig.toLowerCase(), answerSignature(made, secrets))).toBe(true)
    expect(isSignature(`${made.Sig.slice(0, -1)}0`, answerSignature({ ...made, Ret: 1 }, secrets))).toBe(false)
    expect(isSignature(undefined, made.Sig)).toBe(false)
  })
  it('does not open by another key', () => {
    const other = { ...secrets, dataSecret: 'fedcba0987654321' }
    expect(decrypted(encrypted('{"a":1}', other), secrets)).not.toBe('{"a":1}')
    expect(decrypted('not base64 at all', secrets)).toBeUndefined()
  })
  it('wants all of its fields, and forgives a Seq that is a number', () => {
    const whole = { OperatorID: '123456789', Data: 'x', TimeStamp: '20260302101500', Seq: '0001', Sig: 'y' }
    expect(envelopeOf({ ...whole, Seq: 7 })?.Seq).toBe('0007')
    expect(envelopeOf({ ...whole, Extra: 1 })).toEqual(whole)
    for (const name of Object.keys(whole)) expect(envelopeOf({ ...whole, [name]: undefined }), name).toBeUndefined()
    expect(envelopeOf('text')).toBeUndefined()
    expect(envelopeOf({ ...whole, OperatorID: "1' or '1" })).toBeUndefined()
  })
  it('counts within a second and begins again in the next', () => {
    let ms = Date.parse('2026-03-02T02:15:00.000Z')
    const next = sequence(() => ms)
    expect([next(), next()].map(({ TimeStamp, Seq }) => `${TimeStamp} ${Seq}`)).toEqual(['20260302101500 0001', '20260302101500 0002'])
    ms += 1_000
    expect(next()).toEqual({ TimeStamp: '20260302101501', Seq: '0001' })
  })
  it('is too old after ten minutes, and too young before', () => {
    const now = Date.parse('2026-03-02T02:15:00.000Z')
    expect(isFresh(stampOf(now - 599_000), now)).toBe(true)
    expect(isFresh(stampOf(now - 601_000), now)).toBe(false)
    expect(isFresh(stampOf(now + 601_000), now)).toBe(false)
  })
})

describe('The words on the wire', () => {
  const policy = { PolicyInfos: [{ StartTime: '000000', ElecPrice: 0.3, SevicePrice: 0.4 }], TotalSeviceMoney: 1 }
  it('are misspelt as the standard does, or corrected for whoever corrects them, lists too', () => {
    expect(spelled(policy, false)).toEqual(policy)
    expect(spelled(policy, true)).toEqual({ PolicyInfos: [{ StartTime: '000000', ElecPrice: 0.3, ServicePrice: 0.4 }], TotalServiceMoney: 1 })
  })
  it('are understood in any spelling: no unknown one becomes a zero', () => {
    expect(understood({ TotalServiceMoney: 3, TotalElectMoney: 2, ChargeDetails: [{ DetailServiceMoney: 1 }] })).toEqual({
      TotalSeviceMoney: 3,
      TotalElecMoney: 2,
      ChargeDetails: [{ DetailSeviceMoney: 1 }],
    })
  })
})

describe('Figures on the wire', () => {
  it('are decimals of whole fen and watt-hours', () => {
    expect([yuanOf(5230), yuanOf(1), kwhOf(20_001), kwhOf(5)]).toEqual([52.3, 0.01, 20, 0.01])
  })
  it('are read exactly, and a total with a part of a fen is refused', () => {
    expect(parts('0.29', 2)).toBe(29)
    expect(parts(12.3, 2)).toBe(1230)
    expect(parts('-4.05', 2)).toBe(-405)
    expect(parts('1.500', 2)).toBe(150)
    expect(parts('0.1234', 4)).toBe(1234)
    for (const wrong of ['1.005', 'abc', '', null, '1e5', '1.2.3']) expect(parts(wrong, 2), String(wrong)).toBeUndefined()
  })
  it('say the time of the city', () => {
    expect(wireTime('2026-03-02T02:15:00.000Z' as never)).toBe('2026-03-02 10:15:00')
    expect(wireTime(null)).toBe('')
  })
})
