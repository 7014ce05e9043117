"""Splits migrations/0120_charging.sql into 0120_pile.sql, 0130_charging.sql, 0140_roaming.sql (written to DIR, default ../preview/migrations; nothing in the project is touched)."""
import re,os,sys
from tables import PILE,ROAM,STAY,hits,TO,ROOT
SRC=os.path.join(ROOT,'migrations/0120_charging.sql')
OUT=sys.argv[1] if len(sys.argv)>1 else os.path.join(os.path.dirname(__file__),'../preview/migrations')
text=open(SRC,encoding='utf8').read()
def statements(t):
    """Top level statements, each with the comments above it."""
    out=[];start=0;i=0;begin=0;dollar=None
    while i<len(t):
        c=t[i]
        if dollar:
            if t.startswith(dollar,i): i+=len(dollar); dollar=None; continue
            i+=1; continue
        if t.startswith('--',i):
            i=t.find('\n',i); i=len(t) if i<0 else i; continue
        if c=="'":
            i=t.index("'",i+1)+1
            continue
        m=re.match(r'\$\w*\$',t[i:])
        if m: dollar=m.group(0); i+=len(dollar); continue
        if re.match(r'begin atomic\b',t[i:]): begin+=1; i+=12; continue
        if begin and re.match(r'\bend;',t[i:]) : begin-=1; i+=3; continue
        if c==';' and not begin:
            j=t.find('\n',i); j=len(t) if j<0 else j
            out.append((start,i+1,t[start:j+1])); start=j+1; i=j+1; continue
        i+=1
    assert not t[start:].strip(),t[start:]
    return out
OBJ=[r"^create schema (\w+)",r"platform\.opened\('(\w+)'\)",
 r"^create table charging\.(\w+)",r"^create view charging\.(\w+)",r"^create function charging\.(\w+)",r"^create (?:unique )?index \w+ on charging\.(\w+)",
 r"^create (?:or replace )?trigger \w+ (?:before|after) .*? on charging\.(\w+)",r"^create trigger (own_platform) after insert on identity",r"^create policy \w+ on charging\.(\w+)",
 r"^grant \w+ on (?:function )?charging\.(\w+)",r"^revoke all on function charging\.(\w+)",r"^select platform\.\w+\('charging\.(\w+)'",r"^alter table charging\.(\w+)",r"^create sequence charging\.(\w+)",
 r"^insert into platform\.monthly .*'charging\.(\w+)'"]
parts={'pile':[],'charging':[],'roaming':[]}
n=0; last=None; odd=[]
for a,b,s in statements(text):
    n+=1
    code='\n'.join(l for l in s.split('\n') if not l.lstrip().startswith('--')).strip()
    name=next((m.group(1) for r in OBJ for m in [re.search(r,code,re.S)] if m),None)
    if code.startswith('select platform.ensure_months'): d='charging'
    elif name=='charging': d=None
    elif name in PILE: d='pile'
    elif name in ROAM: d='roaming'
    elif name in STAY: d='charging'
    else: odd.append(code[:90]); d='?'
    if d is None: continue
    parts[d].append((text[:a].count('\n')+1,s,name,code))
assert not odd,odd
HEAD={'pile':"-- Charging piles: who runs them, where they stand, what their guns say and what they were told.\ncreate schema pile;\nselect platform.opened('pile');\n\n",
 'charging':"-- Charging: what a kilowatt hour costs, who charged and who paid, what holds a gun and how a station's power is shared.\ncreate schema charging;\nselect platform.opened('charging');\n\n",
 'roaming':"-- Partner platforms: theirs and ours, what is said between us, what is settled, and charges of our drivers at their stations.\ncreate schema roaming;\nselect platform.opened('roaming');\n\n"}
FILE={'pile':'0120_pile.sql','charging':'0130_charging.sql','roaming':'0140_roaming.sql'}
def renamed(t):
    out=[];at=0
    for m,nm in hits(t):
        out.append(t[at:m.start()]+TO[nm]+'.'+nm); at=m.end()
    return ''.join(out)+t[at:]
# a paragraph break where the source had one
os.makedirs(OUT,exist_ok=True)
whole=''
for d in ['pile','charging','roaming']:
    body=''
    for line,s,nm,code in parts[d]:
        body+=renamed(s)
    body=re.sub(r'\n{3,}','\n\n',body).strip()+'\n'
    body=HEAD[d]+body
    open(os.path.join(OUT,FILE[d]),'w',encoding='utf8').write(body)
    whole+=body
# the step in between: roaming alone is out, pile still in charging
rest=sorted(parts['pile']+parts['charging'],key=lambda x:x[0])
def only_roaming(t):
    out=[];at=0
    for m,nm in hits(t):
        if TO[nm]!='roaming': continue
        out.append(t[at:m.start()]+'roaming.'+nm); at=m.end()
    return ''.join(out)+t[at:]
tidy=lambda b: re.sub(r'\n{3,}','\n\n',b).strip()+'\n'
one=os.path.join(OUT,'step2'); os.makedirs(one,exist_ok=True)
top=text[:text.index("select platform.opened('charging');")]+"select platform.opened('charging');\n\n"
open(os.path.join(one,'0120_charging.sql'),'w',encoding='utf8').write(top+tidy(''.join(s for _,s,_,_ in rest)))
open(os.path.join(one,'0130_roaming.sql'),'w',encoding='utf8').write(HEAD['roaming']+tidy(''.join(only_roaming(s) for _,s,_,_ in parts['roaming'])))
# every name is defined before it is used, and nothing below names anything above
defined=set(); bad=[]
for d in ['pile','charging','roaming']:
    for line,s,nm,code in parts[d]:
        r=renamed(code)
        m=re.match(r'create (?:table|view|function|sequence) (\w+\.\w+)',r)
        own=m.group(1) if m else None
        if own: defined.add(own)
        for x in re.findall(r"(?<![\w.])((?:pile|charging|roaming)\.[a-z_]+)",r):
            if x not in defined: bad.append((d,line,x,r[:60]))
print(n,'statements;',{d:len(p) for d,p in parts.items()},'lines',{d:open(os.path.join(OUT,FILE[d])).read().count('\n') for d in FILE})
for b in bad: print('NOT YET DEFINED',b)
print('left',sorted(set(re.findall(r"(?<![\w.])charging\.\w+",''.join(renamed(s) for d in ['pile','roaming'] for _,s,_,_ in parts[d])))))
if __name__=='__main__' and '-t' in sys.argv: pass
for d in parts:
    t=[re.match(r'create (table|view|function|sequence|trigger|policy|unique index|index|or replace trigger)',c) for _,_,_,c in parts[d]]
    from collections import Counter
    print(d,Counter(m.group(1) for m in t if m))
