from tables import *
from assign import moves,inside,OLD
ALL={}
for n in PILE: ALL[n]=ALL[camel(n)]='pile'
for n in ROAM: ALL[n]=ALL[camel(n)]='roaming'
for n in STAY: ALL[n]=ALL[camel(n)]='charging'
RX2=re.compile(r"(?<![\w.])charging\.("+'|'.join(sorted(ALL,key=len,reverse=True))+r")(?![\w-])")
def hits2(text):
    for m in RX2.finditer(text):
        n=m.group(1)
        if text[m.end():m.end()+1]=='.' and '_' not in n: continue
        b=text[max(0,m.start()-40):m.start()]
        if any(k.search(b) for k in KEEP): continue
        yield m,n
if __name__=='__main__':
    up=[]
    for f in sorted(texts()):
        if not f.startswith('domains/charging/server') or '.test.' in f or f.endswith('testing.ts'): continue
        nf=moves.get(f,inside.get(f,f)); d=nf.split('/')[1]
        rank={'pile':0,'charging':1,'roaming':2}
        t=open(os.path.join(ROOT,f)).read()
        for m,n in hits2(t):
            s=ALL[n]
            if rank[s]>rank[d]: up.append((f,nf,n,s,t[:m.start()].count('\n')+1))
    for u in up: print(u)
    # writes into a schema below
    print('--- writes below')
    W=re.compile(r"(insert into|update|delete from)\s+charging\.(\w+)")
    for f in sorted(texts()):
        if not f.startswith('domains/') or not '/server/' in f or '.test.' in f or f.endswith('testing.ts'): continue
        nf=moves.get(f,inside.get(f,f)); d=nf.split('/')[1]
        t=open(os.path.join(ROOT,f)).read()
        for m in W.finditer(t):
            s=ALL.get(m.group(2))
            if s and s!=d: print(nf,m.group(0),t[:m.start()].count('\n')+1)
