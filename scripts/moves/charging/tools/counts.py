from assign import moves,inside,OLD
import os,re,subprocess
from collections import Counter
R='./'
all_=[]
for d,ds,fs in os.walk(R+OLD):
    for f in fs: all_.append(os.path.relpath(os.path.join(d,f),R))
miss=[f for f in list(moves)+list(inside) if not os.path.exists(R+f)]
print('total',len(all_),'missing',miss,'dup targets',[k for k,v in Counter(list(moves.values())+list(inside.values())).items() if v>1])
T=re.compile(r'(\.test\.tsx?|\.soak\.ts|/testing\.ts)$')
c=Counter();l=Counter();dl=Counter();df=Counter()
for f in all_:
    n=moves.get(f,inside.get(f,f)); k=(os.path.dirname(n),'test' if T.search(n) else 'file')
    c[k]+=1; x=open(R+f).read().count('\n'); l[k]+=x; d=n.split('/')[1]; dl[d]+=x; df[d]+=1
for k in sorted(c): print(k,c[k],l[k])
print(dl,df)
# before
b=Counter()
for f in all_: b[(os.path.dirname(f),'test' if T.search(f) else 'file')]+=1
print(sorted(b.items()))
clash=[t for t in list(moves.values())+list(inside.values()) if os.path.exists(R+t)]
print('targets existing',clash)
