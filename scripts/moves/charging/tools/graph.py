import re,os,sys,json,posixpath
ROOT='.'
PLACES=['platform','domains','gateways','apps','city','bench','tests','scripts']
def files():
    out=[f for f in os.listdir(ROOT) if re.search(r'\.tsx?$',f)]
    for p in PLACES:
        for d,ds,fs in os.walk(os.path.join(ROOT,p)):
            ds[:]=[x for x in ds if x not in('node_modules','dist','.data')]
            for f in fs:
                out.append(os.path.relpath(os.path.join(d,f),ROOT))
    return sorted(out)
STMT=re.compile(r"(?ms)^(import|export)\s+(type\s+)?((?:\*(?:\s+as\s+\w+)?|\w+\s*,?\s*)?(?:\{[^}]*\})?)\s*from\s*['\"]([^'\"]+)['\"]|^import\s+['\"]([^'\"]+)['\"]")
DYN=re.compile(r"\bimport\(\s*(?:/\*.*?\*/\s*)?['\"]([^'\"]+)['\"]\s*\)|new URL\(\s*['\"](\.[^'\"]+\.tsx?)['\"]|declare module ['\"](\.[^'\"]+)['\"]|vi\.(?:do)?[mM]ock\(\s*['\"](\.[^'\"]+)['\"]")
def names(clause):
    m=re.search(r'\{([^}]*)\}',clause)
    out=[]
    if m:
        for p in m.group(1).split(','):
            p=p.strip()
            if p: out.append(re.sub(r'\s+as\s+',' as ',p))
    head=clause.split('{')[0].strip().rstrip(',').strip()
    if head: out.insert(0,'default:'+head)
    return out
def imports(f,text):
    res=[]
    def res_to(s): return posixpath.normpath(posixpath.join(posixpath.dirname(f),re.sub(r'\?.*$','',s)))
    for m in STMT.finditer(text):
        spec=m.group(4) or m.group(5)
        if not spec.startswith('.'): continue
        line=text[:m.start()].count('\n')+1
        ns=names(m.group(3) or '') if m.group(4) else []
        allt=bool(m.group(2)) or (len(ns)>0 and all(n.startswith('type ') for n in ns))
        res.append((res_to(spec),line,allt,ns,m.group(1) or 'import',spec))
    for m in DYN.finditer(text):
        spec=next(g for g in m.groups() if g)
        if not spec.startswith('.'): continue
        line=text[:m.start()].count('\n')+1
        res.append((res_to(spec),line,True,['(dynamic)'],'dynamic',spec))
    return res
def load():
    g={}
    for f in files():
        if re.search(r'\.tsx?$',f):
            t=open(os.path.join(ROOT,f),encoding='utf8').read()
            g[f]=(t,imports(f,t))
    return g
