import { cookie } from '../../platform/web/cookie.ts'
import { say, speech as language } from '../../platform/web/language.ts'
import { LOGIN, loginFor, pathHere, takeNotice, WALL, wayBack } from './address.ts'
import { BASE, description, product, titleOf } from './product.ts'
import { comeBack, type Directory, directories, enterWith, goToProvider, signIn, signInBy, signInWithCode, singleSignOn } from './signin.ts'

/** The page before the console: plain, there at once. The console comes while the person types. */
const SHELL_AFTER_MS = 300
const NOTICE_MS = 2_000
const shell = () => import('./shell.tsx')
const page = document.querySelector<HTMLElement>('#sign-in')!
const find = <E extends HTMLElement>(selector: string) => page.querySelector<E>(selector)!

const enter = async () => (await shell()).start(document.querySelector('#shell')!)
const goTo = (path: string) => history.replaceState(null, '', BASE + path)

async function begin() {
  if (pathHere() === WALL) {
    page.remove()
    return (await import('./kiosk.tsx')).start(document.querySelector('#shell')!, location.hash.slice(1))
  }
  const query = new URLSearchParams(location.search)
  const code = query.get('thirdAuth')
  if (code !== null) {
    // A code in an address is read by histories and logs: it leaves the address before anything else happens.
    query.delete('thirdAuth')
    goTo(`${pathHere()}${query.size > 0 ? `?${query}` : ''}`)
    try {
      await enterWith(code)
    } catch (error) {
      return showSignIn((error as Error).message || say(FAILED))
    }
  }
  const [given, state] = [query.get('code'), query.get('state')]
  if (pathHere() === LOGIN && given && state) {
    goTo(LOGIN)
    try {
      await comeBack(given, state)
    } catch (error) {
      return showSignIn((error as Error).message || say(FAILED))
    }
  }
  if (cookie('token')) {
    if (pathHere() === LOGIN) goTo(wayBack(location.search))
    page.remove()
    return enter()
  }
  showSignIn()
}

function showSignIn(refused = '') {
  if (pathHere() !== LOGIN) goTo(loginFor(pathHere(), location.search))
  write()
  page.hidden = false
  find('#refused').textContent = refused
  const notice = takeNotice()
  if (notice) {
    find('#notice').textContent = notice
    find('#notice').hidden = false
    setTimeout(() => (find('#notice').hidden = true), NOTICE_MS)
  }
  find<HTMLInputElement>('[name=username]').focus()
  find('#language').addEventListener('click', () => {
    language.set(language.get() === 'en' ? 'zh-chs' : 'en')
    write()
  })
  find<HTMLFormElement>('form').addEventListener('submit', (event) => {
    event.preventDefault()
    void submit()
  })
  find('#back').addEventListener('click', () => askFor(undefined))
  void offerSingleSignOn()
  void offerDirectories()
  setTimeout(shell, SHELL_AFTER_MS)
}

/** The challenge of the second step; undefined while the password is asked for. */
let challenge: string | undefined
const field = (name: string) => find<HTMLInputElement>(`[name=${name}]`)
function askFor(next: string | undefined) {
  challenge = next
  find('#refused').textContent = ''
  for (const name of ['username', 'password']) {
    field(name).required = !next
    field(name).parentElement!.hidden = Boolean(next)
  }
  find('#directories').hidden = Boolean(next)
  field('code').required = Boolean(next)
  field('code').parentElement!.hidden = !next
  find('#back').hidden = !next
  field('code').value = ''
  field(next ? 'code' : 'password').focus()
}

async function submit(by?: Directory) {
  const buttons = page.querySelectorAll<HTMLButtonElement>('[type=submit], #directories button')
  const [username, password, code] = [field('username'), field('password'), field('code')]
  find('#refused').textContent = ''
  for (const button of buttons) button.disabled = true
  try {
    if (challenge) await signInWithCode(challenge, code.value)
    else {
      const asked = by ? await signInBy(by, username.value, password.value) : await signIn(username.value, password.value)
      if (asked) return askFor(asked)
    }
  } catch (error) {
    const reached = error instanceof Error && error.constructor === Error
    const said = (reached && (error as Error).message) || say(reached ? FAILED : UNREACHED)
    find('#refused').textContent = challenge && reached ? say(WRONG_CODE) : said
    ;(challenge ? code : password).select()
    return
  } finally {
    for (const button of buttons) button.disabled = false
  }
  password.value = ''
  goTo(wayBack(location.search))
  await enter()
  page.remove()
}

/** Only where one is configured; the page does not wait for it. */
async function offerSingleSignOn() {
  const name = await singleSignOn()
  if (!name) return
  const button = find<HTMLButtonElement>('#single')
  button.dataset['with'] = name
  write()
  button.addEventListener('click', () => goToProvider().catch((error: Error) => (find('#refused').textContent = error.message || say(UNREACHED))))
  button.hidden = false
}

/** Offers sign-in by a directory, with name and password as for the console's own. */
async function offerDirectories() {
  for (const one of await directories()) {
    const button = document.createElement('button')
    button.type = 'button'
    button.dataset['with'] = one.name
    button.addEventListener('click', () => find<HTMLFormElement>('form').reportValidity() && void submit(one))
    find('#directories').append(button)
  }
  write()
}

const WRONG_CODE = ['验证码不正确、已使用或已过期，可返回重新登录', 'The code is wrong, used or expired; you can go back and sign in again'] as const
const FAILED = ['登录失败，请重试', 'Sign-in failed; try again'] as const
const UNREACHED = ['连接不上服务器，请检查网络', 'The server cannot be reached; check the network'] as const

/** Writes the page in the language of the cookie. */
function write() {
  const english = language.get() === 'en'
  document.title = titleOf(say(product), say(['登录', 'Sign in']))
  find('h1').textContent = say(product)
  find('header p').textContent = say(description)
  const [username, password, code] = page.querySelectorAll('label span')
  username!.textContent = say(['用户名', 'Username'])
  password!.textContent = say(['密码', 'Password'])
  code!.textContent = say(['动态验证码或恢复码', 'Authenticator code or recovery code'])
  find('#back').textContent = say(['返回', 'Back'])
  find('[type=submit]').textContent = say(['登录', 'Sign in'])
  for (const button of page.querySelectorAll<HTMLElement>('[data-with]')) {
    const name = button.dataset['with']
    button.textContent = say([`使用 ${name} 登录`, `Sign in with ${name}`])
  }
  find('#language').textContent = english ? '中文' : 'English'
  find('footer').textContent = `${product[0]} ${product[1]}`
}

void begin()
