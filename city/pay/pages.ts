import type { Asked, Told } from './wire.ts'

/** A text in Chinese and English. */
export type Both = readonly [zh: string, en: string]
export interface Act {
  /** The value that the form sends as `act`. */
  act: string
  text: Both
  isMain?: boolean
}
export interface PageOf {
  title: Both
  /** The channel's colour. */
  color: string
  heading: string
  /** Names and values below the heading. */
  facts?: readonly (readonly [name: Both, value: string])[]
  note?: Both
  form?: { to: string; hidden: Readonly<Record<string, string>>; inputs?: readonly Input[]; acts: readonly Act[] }
}
export interface Input {
  name: string
  label: Both
  value?: string
  options?: readonly (readonly [value: string, text: Both])[]
}

const STYLE = `*{box-sizing:border-box}body{margin:0;font:16px/1.5 system-ui,sans-serif;background:#f5f5f5;color:#1f1f1f;overflow-wrap:anywhere}
main{max-width:24rem;margin:0 auto;padding:1.5rem 1rem;text-align:center}h1{font-size:2.25rem;margin:.5rem 0}dl{text-align:start;background:#fff;border-radius:8px;padding:1rem;margin:1rem 0}
dt{color:#595959;font-size:.875rem}dd{margin:0 0 .5rem}button{display:block;width:100%;min-height:2.75rem;margin:.75rem 0;border:1px solid #8c8c8c;border-radius:8px;background:#fff;color:#1f1f1f;font:inherit}
button.main{border:0;color:#fff}label{display:block;text-align:start;margin:.75rem 0}input,select{display:block;width:100%;min-height:2.75rem;padding:0 .75rem;border:1px solid #8c8c8c;border-radius:8px;font:inherit}
nav{text-align:end;font-size:.875rem}a{color:inherit}`

/** A page for a person who plays the driver, in the language of `lang`, or else of the browser. */
export function pageTo(asked: Asked, page: PageOf): Told {
  const lang = languageOf(asked)
  const say = (text: Both) => escaped(text[lang === 'zh' ? 0 : 1])
  const { title, color, heading, facts = [], note, form } = page
  const html = `<!doctype html><html lang="${lang === 'zh' ? 'zh-CN' : 'en'}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${say(title)}</title><style>${STYLE}button.main{background:${color}}</style></head><body><main>${otherLanguage(asked, lang)}<p>${say(title)}</p><h1>${escaped(heading)}</h1>
${facts.length > 0 ? `<dl>${facts.map(([name, value]) => `<dt>${say(name)}</dt><dd>${escaped(value)}</dd>`).join('')}</dl>` : ''}
${note ? `<p role="status">${say(note)}</p>` : ''}${form ? formIn(form, lang, say) : ''}</main></body></html>`
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: html }
}

function formIn({ to, hidden, inputs = [], acts }: NonNullable<PageOf['form']>, lang: string, say: (text: Both) => string): string {
  const kept = Object.entries({ ...hidden, lang }).map(([name, value]) => `<input type="hidden" name="${name}" value="${escaped(value)}">`)
  const asked = inputs.map(({ name, label, value = '', options }) => {
    const field = options
      ? `<select name="${name}">${options.map(([one, text]) => `<option value="${one}">${say(text)}</option>`).join('')}</select>`
      : `<input name="${name}" value="${escaped(value)}" required>`
    return `<label>${say(label)}${field}</label>`
  })
  const buttons = acts.map(({ act, text, isMain }) => `<button name="act" value="${act}"${isMain ? ' class="main"' : ''}>${say(text)}</button>`)
  return `<form method="post" action="${to}">${[...kept, ...asked, ...buttons].join('')}</form>`
}

/** `lang` of the address or of the form before it. */
function languageOf({ query, body, headers }: Asked): 'zh' | 'en' {
  const chosen = query.get('lang') ?? /(?:^|&)lang=(zh|en)(?:&|$)/.exec(body)?.[1]
  if (chosen) return chosen === 'en' ? 'en' : 'zh'
  return headers['accept-language']?.toLowerCase().startsWith('en') ? 'en' : 'zh'
}
function otherLanguage({ method, base, target }: Asked, lang: string): string {
  if (method !== 'GET') return ''
  const url = new URL(target, base)
  url.searchParams.set('lang', lang === 'zh' ? 'en' : 'zh')
  return `<nav><a href="${escaped(`${url.pathname}${url.search}`)}">${lang === 'zh' ? 'English' : '中文'}</a></nav>`
}
const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
