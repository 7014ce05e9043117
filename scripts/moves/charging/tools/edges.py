from assign import *
from graph import *
import json
from collections import defaultdict,Counter
g=load()
ORDER=['system','identity','message','ledger','settlement','fee','device','parking','roadside','arrears','pile','charging','roaming','owner','merchant','coupon','member','share','street-lamp','after-sale','fleet','rent','staff','inspection','dashboard']
def new(f): return moves.get(f,inside.get(f,f))
STRUCT={OLD+'server/'+x for x in ['api.ts','domain.ts','around.ts','linkDomain.ts','tables.ts','linkTables.ts','nouns.ts']}|{OLD+'contract/menu.ts',OLD+'contract/menuAround.ts',OLD+'web/screens.ts',OLD+'web/screensAround.ts'}
# api.ts: symbol -> (source file, source symbol)
API={}
for to,line,t,ns,kind,spec in g[OLD+'server/api.ts'][1]:
    for n in ns:
        n=n.replace('type ','')
        a,_,b=n.partition(' as ')
        API[b or a]=(to,a)
def base(n):
    n=n.replace('type ','').strip()
    return n.split(' as ')[0].replace('default:','')
def home(to,name):
    """new file in which a symbol lives"""
    if (to,name) in CUT: return CUT[(to,name)]
    return new(to)
def dom(f):
    m=re.match(r'domains/([^/]+)/',f)
    return m.group(1) if m else None
TESTRE=re.compile(r'(\.test\.tsx?|\.soak\.ts|/(testing|factory)\.ts)$|^tests/')
def istest(f): return bool(TESTRE.search(f))
# from-side: a file that is cut keeps its edges with the part that needs them; HAND says where a named import of a cut file goes
def rows(skipstruct=True):
    for f,(text,im) in g.items():
        nf=new(f)
        for to,line,typ,ns,kind,spec in im:
            if not to.startswith(OLD): continue
            if to==OLD+'server/api.ts':
                for n in ns or ['(side effect)']:
                    b=base(n)
                    src=API.get(b)
                    if src: yield f,nf,to,home(*src),b,line,n.startswith('type ') or typ,True
                    else: yield f,nf,to,'?',b,line,typ,True
                continue
            for n in (ns or ['(side effect)']):
                b=base(n)
                yield f,nf,to,home(to,b),b,line,n.startswith('type ') or typ,False
if __name__=='__main__':
    tri={'pile','charging','roaming'}
    cnt=Counter(); det=defaultdict(list)
    for f,nf,to,nt,name,line,typ,viaapi in rows():
        if f in STRUCT or to in {OLD+'server/tables.ts',OLD+'server/linkTables.ts'}: continue
        a,b=dom(nf),dom(nt)
        if a in tri and b in tri and a!=b and not istest(f):
            side=nf.split('/')[2]; 
            cnt[(a,b,side,nt.split('/')[2])]+=1
            det[(a,b,side)].append((nf,nt,name,line,typ))
    for k in sorted(cnt): print(k,cnt[k])
    print()
    for k in [('pile','charging','contract'),('pile','charging','server'),('pile','charging','web'),('pile','roaming','server'),('charging','roaming','contract'),('charging','roaming','server'),('charging','roaming','web')]:
        print('##',k)
        for d in det.get(k,[]): print('  ',d)
