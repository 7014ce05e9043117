import { expect, test } from 'vitest'
import { RICH_TAGS } from '../../contract/rich.ts'
import { cleanRich, isTooMuch, MARKS_MAX } from './rich.ts'

test('what the editor makes stays as it is', () => {
  const written =
    '<h2>停车须知</h2><p>请<strong>按位</strong>停放，<em>勿</em>占<u>消防</u><s>车位</s>通道。<code>P003</code></p>' +
    '<ol start="3"><li><p>一</p></li></ol><blockquote><p>引</p></blockquote><pre><code>1 &lt; 2</code></pre><hr />' +
    '<table><tbody><tr><th colspan="2"><p>时段</p></th></tr><tr><td><p>日</p></td><td><p>夜</p></td></tr></tbody></table>' +
    '<img src="/lbs/basic/sysFile/download?fileName=0a1b.png" alt="图" />' +
    '<p><a href="https://example.org/a?b=1&amp;c=2" target="_blank" rel="noopener noreferrer nofollow">细则</a></p>'
  expect(cleanRich(written)).toBe(written)
})

test('older markup is said in ours', () => {
  expect(cleanRich('<h1>一</h1><b>粗</b><i>斜</i><del>去</del><thead><tr><td>格</td></tr></thead>')).toBe(
    '<h2>一</h2><strong>粗</strong><em>斜</em><s>去</s><tbody><tr><td>格</td></tr></tbody>',
  )
})

test('a link leads to the web or is none; every link keeps the page to itself', () => {
  for (const href of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    '//evil.example',
    '/dist/index',
    'file:///etc/passwd',
    'blob:x',
    'mailto:a@b.c',
    'http:evil',
    ' https://a.b/\u0000',
  ])
    expect(cleanRich(`<p><a href="${href}" onclick="x()">词</a></p>`), href).toBe('<p>词</p>')
  expect(cleanRich('<a href="http://a.example/" target="_top" rel="opener" ping="http://b.example">词</a>')).toBe(
    '<a href="http://a.example/" target="_blank" rel="noopener noreferrer nofollow">词</a>',
  )
})

test('a picture is one of our own files', () => {
  for (const src of [
    'https://evil.example/p.gif',
    '//evil.example/p.gif',
    'data:image/png;base64,AAAA',
    '/lbs/basic/other?id=1',
    '/lbs/basic/sysFile/download?fileName=a.png&x=1',
    'x',
  ])
    expect(cleanRich(`<p>词<img src="${src}" srcset="https://evil.example/q 2x" onerror="x()"></p>`), src).toBe('<p>词</p>')
})

test('nothing that runs, loads, styles or catches a click is left, and cleaning twice changes nothing', () => {
  const hostile = [
    '<script>alert(1)</script>',
    '<style>*{background:url(https://evil.example)}</style>',
    '<iframe src="https://evil.example"></iframe>',
    '<object data="x"></object>',
    '<embed src="x">',
    '<svg onload="alert(1)"><animate onbegin="alert(1)"/></svg>',
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    '<form action="https://evil.example"><input name="password"><button formaction="javascript:alert(1)">x</button></form>',
    '<base href="https://evil.example/">',
    '<meta http-equiv="refresh" content="0;url=https://evil.example">',
    '<link rel="stylesheet" href="https://evil.example">',
    '<p style="position:fixed;inset:0" class="ant-modal" id="root" data-x="1">x</p>',
    '<video src="https://evil.example" autoplay onplay="alert(1)"></video>',
    '<details open ontoggle="alert(1)">x</details>',
    '<template><script>alert(1)</script></template>',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
    '<!--><img src=x onerror=alert(1)>-->',
    '<![CDATA[<img src=x onerror=alert(1)>]]>',
    '<a href="https://a.example/"><img src=x onerror=alert(1)></a>',
    '<td background="https://evil.example">x</td>',
  ]
  const tags = new RegExp(`</?(?!(${Object.keys(RICH_TAGS).join('|')})[ />])[a-z]`, 'i')
  for (const payload of hostile) {
    const clean = cleanRich(payload)
    expect(clean, payload).not.toMatch(/(\son\w+=|style=|class=|id=|evil|javascript:)/i)
    expect(clean, payload).not.toMatch(tags)
    expect(cleanRich(clean), payload).toBe(clean)
  }
})

/** Milliseconds of this thread: what compiles and collects beside it is not the text's. */
function costOf(html: string): number {
  const before = process.threadCpuUsage().user
  cleanRich(html)
  return (process.threadCpuUsage().user - before) / 1000
}
test('what would hold the process is too much: it is counted before it is read, and the most that is read costs little', () => {
  const of = (part: string, marks: number) => part.repeat(Math.floor(marks / (part.split('<').length - 1)))
  const worst = ['<b><i>', '<ul><li>', '<svg><g>', '<div>', '</p>', '<', '<a href="https://x.cn">x</a>', '<td><p>1</p></td>', '<script></script>']
  for (const part of worst) {
    expect(isTooMuch(of(part, MARKS_MAX)), part).toBe(false)
    expect(isTooMuch(of(part, MARKS_MAX + 10)), part).toBe(true)
    // Three times what it takes on a quiet machine; without the bound a text of allowed length took a second.
    expect(Math.min(...[1, 2, 3].map(() => costOf(of(part, MARKS_MAX)))), part).toBeLessThan(150)
  }
})
