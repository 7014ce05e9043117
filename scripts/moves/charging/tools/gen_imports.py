"""Writes ../imports.json: {file today: {"then": path, "imports": [{"line", "spec", "type", "to": [{"spec", "names"}], "mend": [...]}]}} for every import whose text changes."""
import json,os
from edges import *
tri={'pile','charging','roaming'}
def rel(a,b):
    r=posixpath.relpath(b,posixpath.dirname(a))
    return r if r.startswith('.') else './'+r
rank={'pile':0,'charging':1,'roaming':2}
out={};mends=0;n=0
for f,(text,im) in sorted(g.items()):
    nf=new(f)
    L=[]
    for to,line,typ,ns,kind,spec in im:
        groups={};mend=[]
        for raw in (ns or ['']):
            b=base(raw) if raw else '(side effect)'
            src,name=(to,b)
            via=to==OLD+'server/api.ts'
            shown=raw
            if via:
                if b in API:
                    src,name=API[b]
                    if API[b][1]!=b: shown=raw # CommandAnswer keeps its name in the api
                h=home(src,name)
            else: h=home(to,b) if to.startswith(OLD) else to
            d,mine=dom(h),dom(nf)
            dest=h
            if d in tri and to.startswith(OLD):
                side=h.split('/')[2]
                if to.endswith(('/tables.ts','/linkTables.ts')) and b=='(side effect)': dest=f"domains/{mine if mine in tri else 'charging'}/server/tables.ts"
                elif via: dest=f'domains/{d}/server/api.ts'
                elif d!=mine and side=='server' and not h.endswith('/testing.ts'):
                    domtest=istest(f) and f.startswith('domains/')
                    if mine in rank and rank[d]>rank[mine] and not istest(f): mend.append(b); continue
                    if not istest(f) or domtest: dest=f'domains/{d}/server/api.ts'
                elif d!=mine and side=='web' and '/web/api/' not in h and mine in rank and not istest(f): mend.append(b); continue
                elif mine in rank and side=='contract' and nf.split('/')[2]!='web' and not istest(f) and rank[d]>rank[mine]: mend.append(b); continue
            groups.setdefault(rel(nf,dest),[]).append(shown)
        q=spec.split('?')[1] if '?' in spec else None
        if q: groups={k+'?'+q:v for k,v in groups.items()}
        if list(groups)==[spec] and not mend: continue
        e={'line':line,'spec':spec,'to':[{'spec':k,'names':[x for x in v if x]} for k,v in groups.items()]}
        if typ and kind!='dynamic': e['type']=True
        if mend: e['mend']=mend; mends+=len(mend)
        L.append(e); n+=1
    if L or nf!=f:
        out[f]={'then':nf,'imports':L}
        if f in STRUCT: out[f]['hand']=True
json.dump(out,open(os.path.join(os.path.dirname(os.path.abspath(__file__)),'../imports'+('-'+os.environ['STEP'] if os.environ.get('STEP') else '')+'.json'),'w'),ensure_ascii=False,indent=1)
print(len(out),'files',n,'imports',mends,'mends', sum(1 for v in out.values() if v.get('hand')),'by hand')
