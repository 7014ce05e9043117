"""move.py ROOT MAP.json: moves files (old -> new) and rewrites what names them."""
import json, os, re, subprocess, sys
root, mapping = sys.argv[1], json.load(open(sys.argv[2]))
os.chdir(root)
tracked = subprocess.run(['git', 'ls-files', '-z'], capture_output=True, text=True).stdout.split('\0')[:-1]
tracked = [f for f in tracked if not f.startswith('node_modules')]
files = set(tracked)
# tests and styles go with their subject
full = dict(mapping)
for old in list(mapping):
    assert old in files, old
    stem, ext = os.path.splitext(old)
    for t in ('.test.ts', '.test.tsx'):
        if stem + t in files and stem + t not in full:
            full[stem + t] = os.path.join(os.path.dirname(mapping[old]), os.path.basename(stem) + t)
new_files = set(full.values())
assert len(new_files) == len(full), 'two to one place'
assert not (new_files & (files - set(full))), new_files & files
dirs = {os.path.dirname(f) for f in files}
alldirs = set()
for d in dirs:
    while d:
        alldirs.add(d); d = os.path.dirname(d)
at = lambda f: full.get(f, f)
SPEC = re.compile(r"""(['"`])(\.{1,2}/[^'"`\s?]*)(\?[^'"`\s]*)?\1""")
CSS = re.compile(r"""url\((\.{1,2}/[^)]*)\)""")
def rel(frm, to):
    r = os.path.relpath(to, os.path.dirname(frm) or '.')
    return r if r.startswith('.') else './' + r
def respec(text, old, new):
    moved = old != new
    def one(m):
        q, spec, more = m.group(1), m.group(2), m.group(3) or ''
        target = os.path.normpath(os.path.join(os.path.dirname(old), spec))
        if target in files:
            return f'{q}{rel(new, at(target))}{more}{q}'
        if moved and target in alldirs and 'import.meta' in text[max(0, m.start()-60):m.start()]:
            return f'{q}{rel(new, target)}{more}{q}'
        if moved and 'import.meta' in text[max(0, m.start()-60):m.start()]:
            print('LOOK', old, m.group(0))
        return m.group(0)
    return SPEC.sub(one, text)
# words: full paths in any text
stems = {}
for o, n in full.items():
    if '.test.' in o: continue
    stems.setdefault(re.sub(r'\.(tsx?|css|mjs)$', '', o), set()).add(re.sub(r'\.(tsx?|css|mjs)$', '', n))
names = sorted({os.path.dirname(o) for o in full}, key=len, reverse=True)
PATHS = re.compile('(?<![\\w/.-])(' + '|'.join(map(re.escape, names)) + r')/([\w-]+)((?:\.test)?\.(?:tsx?|css))?(?![\w/-])')
def repath(text):
    def one(m):
        d, n, ext = m.group(1), m.group(2), m.group(3)
        whole = f'{d}/{n}{ext or ""}'
        if ext: return full.get(whole, whole)
        s = stems.get(f'{d}/{n}')
        if s and len(s) == 1 and f'{d}/{n}' not in alldirs: return next(iter(s))
        return whole
    return PATHS.sub(one, text)
# short paths in a domain's README: `server/x.ts`
def reshort(text, domain):
    for o, n in full.items():
        if o.startswith(domain + '/'):
            so, sn = o[len(domain)+1:], n[len(domain)+1:]
            text = re.sub(r'(?<![\w/.-])' + re.escape(so) + r'(?![\w-])', sn, text)
    return text
TEXT = ('.ts', '.tsx', '.mjs', '.js', '.css', '.md', '.txt', '.json', '.html', '.yml', '.sql')
changed = []
for f in tracked:
    if not f.endswith(TEXT) or f == 'package-lock.json' or not os.path.exists(f) or os.path.islink(f): continue
    try: text = open(f, encoding='utf-8').read()
    except UnicodeDecodeError: continue
    out = text
    if f.endswith(('.ts', '.tsx', '.mjs', '.css', '.html')): out = respec(out, f, at(f))
    if f not in ('tests/tidy/walls.test.ts', 'tests/tidy/codes.test.ts'): out = repath(out)
    m = re.match(r'(domains/[^/]+|gateways/[^/]+)/README\.md$', f)
    if m: out = reshort(out, m.group(1))
    if out != text:
        open(f, 'w', encoding='utf-8').write(out); changed.append(at(f))
for o, n in full.items():
    os.makedirs(os.path.dirname(n), exist_ok=True)
    subprocess.run(['git', 'mv', o, n], check=True)
print(len(full), 'moved,', len(changed), 'rewritten')
open('changed.txt', 'w').write('\n'.join(sorted(set(changed) | new_files)))
